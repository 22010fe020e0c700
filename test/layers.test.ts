import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cruiseLayers, layerRules } from "./support/layerRules.ts";

const root = path.resolve(import.meta.dirname, "..");
const planted = mkdtempSync(path.join(tmpdir(), "layers-"));
afterAll(() => rmSync(planted, { recursive: true, force: true }));

/** Rule -> an import that breaks it. */
const plantedViolations: Record<string, { file: string; imports: string }> = {
  "base-imports-nothing-of-ours": { file: "src/base/planted.ts", imports: "../protocol/leaf.ts" },
  "protocol-imports-nothing-of-ours": { file: "src/protocol/planted.ts", imports: "../base/leaf.ts" },
  "hooks-know-only-base-and-protocol": { file: "src/hooks/planted.ts", imports: "../settings/leaf.ts" },
  "settings-and-process-stay-below-agent": { file: "src/settings/planted.ts", imports: "../agent/leaf.ts" },
  "settings-start-no-process": { file: "src/settings/planted2.ts", imports: "../process/leaf.ts" },
  "process-reads-no-settings": { file: "src/process/planted.ts", imports: "../settings/leaf.ts" },
  "agent-knows-no-editor": { file: "src/agent/planted.ts", imports: "../extension/leaf.ts" },
  "host-imports-no-page": { file: "src/extension/planted.ts", imports: "../../webview-ui/ui/leaf.ts" },
  "only-extension-imports-vscode": { file: "src/agent/planted2.ts", imports: "vscode" },
  "only-process-starts-processes": { file: "src/extension/planted2.ts", imports: "node:child_process" },
  "pages-see-protocol-only": { file: "webview-ui/chat/planted.ts", imports: "../../src/hooks/leaf.ts" },
  "pages-use-no-node": { file: "webview-ui/chat/planted2.ts", imports: "node:fs" },
  "toolkit-behind-ui": { file: "webview-ui/chat/planted3.ts", imports: "@vscode/webview-ui-toolkit/react" },
  "no-cycles": { file: "src/hooks/cycle.ts", imports: "./cycle2.ts" },
};

function plant(file: string, text: string): void {
  const target = path.join(planted, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}

describe("layers", () => {
  it("hold in src and webview-ui", async () => {
    const report = await cruiseLayers(root, ["src", "webview-ui"]);
    expect(report.violations).toEqual([]);
    // A checker that cannot parse TypeScript sees nothing and is content.
    expect(report.modules).toBeGreaterThan(10);
  });

  it("are each held by a rule that catches a planted violation", async () => {
    for (const layer of ["base", "protocol", "hooks", "settings", "process", "agent", "extension"]) {
      plant(`src/${layer}/leaf.ts`, "export type Leaf = 1;\n");
    }
    plant("webview-ui/ui/leaf.ts", "export type Leaf = 1;\n");
    plant("src/hooks/cycle2.ts", `import type { A } from "./cycle.ts";\nexport type B = A;\n`);
    for (const { file, imports } of Object.values(plantedViolations)) {
      plant(file, `import type { Leaf } from "${imports}";\nexport type A = Leaf;\n`);
    }
    const report = await cruiseLayers(planted, ["src", "webview-ui"]);
    const caught = new Set(report.violations.map(({ rule, from }) => `${rule}: ${from}`));
    for (const rule of layerRules) {
      expect(caught).toContain(`${rule.name}: ${plantedViolations[rule.name]?.file}`);
    }
  });
});
