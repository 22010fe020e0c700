import { existsSync } from "node:fs";
import path from "node:path";

/** The ripgrep that comes with VS Code, wherever its version keeps it; undefined where there is none. */
export function editorRipgrep(appRoot: string): string | undefined {
  const program = process.platform === "win32" ? "rg.exe" : "rg";
  const places = [
    ["@vscode/ripgrep-universal", "bin", `${process.platform}-${process.arch}`, program],
    ["@vscode/ripgrep", "bin", program],
  ];
  return ["node_modules", "node_modules.asar.unpacked"]
    .flatMap((modules) => places.map((place) => path.join(appRoot, modules, ...place)))
    .find((file) => existsSync(file));
}
