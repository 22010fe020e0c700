import { readFileSync } from "node:fs";
import path from "node:path";

/** The themes of the tests: the variables that VS Code 1.139 sets in a webview under its own four default themes. */
export const themeNames = ["light", "dark", "hc-light", "hc-dark"] as const;
export type ThemeName = (typeof themeNames)[number];

interface Theme {
  bodyClass: string;
  name: string;
  variables: Record<string, string>;
}

export function readTheme(name: ThemeName): Theme {
  const file = path.resolve("test/support/themes", `${name}.json`);
  return JSON.parse(readFileSync(file, "utf8")) as Theme;
}

/** The theme as a stylesheet. `surface` is what VS Code paints behind the webview. */
export function themeCss(name: ThemeName, surface: "editor" | "sideBar"): string {
  const { variables } = readTheme(name);
  const lines = Object.entries(variables).map(([variable, value]) => `  ${variable}: ${value};`);
  return `:root {\n${lines.join("\n")}\n}\nhtml { background: var(--vscode-${surface}-background); }\n`;
}
