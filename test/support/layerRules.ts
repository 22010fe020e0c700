import { cruise, type ICruiseResult } from "dependency-cruiser";

type LayerRule = {
  name: string;
  comment: string;
  severity: "error";
  from: { path?: string; pathNot?: string };
  to: { path?: string; pathNot?: string; circular?: true };
};

/** Which folder may import what. A folder that is not named may import any of ours. */
export const layerRules: readonly LayerRule[] = [
  forbid("base-imports-nothing-of-ours", "^src/base/", { path: "^(src|webview-ui)/", pathNot: "^src/base/" }),
  forbid("protocol-imports-nothing-of-ours", "^src/protocol/", {
    path: "^(src|webview-ui)/",
    pathNot: "^src/protocol/",
  }),
  forbid("hooks-know-only-base-and-protocol", "^src/hooks/", {
    path: "^(src|webview-ui)/",
    pathNot: "^src/(base|protocol|hooks)/",
  }),
  forbid("settings-and-process-stay-below-agent", "^src/(settings|process)/", {
    path: "^(src/(agent|extension|sdk)|webview-ui/)",
  }),
  forbid("settings-start-no-process", "^src/settings/", { path: "^src/process/" }),
  forbid("process-reads-no-settings", "^src/process/", { path: "^src/settings/" }),
  forbid("agent-knows-no-editor", "^src/(agent/|sdk\\.ts)", { path: "^(src/extension|webview-ui)/" }),
  forbid("host-imports-no-page", "^src/", { path: "^webview-ui/" }),
  forbid("only-extension-imports-vscode", "^(src/(?!extension/)|webview-ui/)", { path: "^vscode$" }),
  forbid("only-process-starts-processes", "^(src/(?!process/)|webview-ui/)", {
    path: "^(node:)?child_process$",
  }),
  forbid("pages-see-protocol-only", "^webview-ui/", { path: "^src/", pathNot: "^src/protocol/" }),
  forbid("pages-use-no-node", "^webview-ui/", {
    path: "^(node:|(fs|path|os|http|https|net|child_process|crypto|url)$)",
  }),
  forbid("toolkit-behind-ui", "^webview-ui/(?!ui/)", { path: "@vscode/webview-ui-toolkit" }),
  forbid("no-cycles", "^(src|webview-ui)/", { circular: true }),
];

function forbid(name: string, from: string, to: LayerRule["to"]): LayerRule {
  return { name, comment: name, severity: "error", from: { path: from }, to };
}

export interface LayerReport {
  /** Files of ours that were seen. */
  modules: number;
  violations: { rule: string; from: string; to: string }[];
}

/** Reads all imports, type imports too, of src and webview-ui in `baseDir`, and holds them against the rules. */
export async function cruiseLayers(baseDir: string, folders: readonly string[]): Promise<LayerReport> {
  const { output } = await cruise(
    [...folders],
    {
      baseDir,
      validate: true,
      ruleSet: { forbidden: layerRules.map((rule) => ({ ...rule })) },
      tsPreCompilationDeps: true,
      doNotFollow: { path: "node_modules" },
      outputType: "json",
    },
    { extensions: [".ts", ".tsx", ".js", ".json", ".css"] },
  );
  const result: ICruiseResult = typeof output === "string" ? JSON.parse(output) : output;
  return {
    modules: result.modules.filter((module) => /^(src|webview-ui)\//.test(module.source)).length,
    violations: result.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
  };
}
