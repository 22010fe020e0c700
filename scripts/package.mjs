// npm run package: builds, and packages the extension as wave-hooks-<version>.vsix.
import { readFileSync } from "node:fs";
import path from "node:path";
import { packageExtension } from "./packageExtension.mjs";
import { build, installDependencies, root, runScript } from "./prepare.mjs";
import { say } from "./vscode-host/say.mjs";

await runScript(async () => {
  await installDependencies();
  await build();
  const { name, version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  say(`Packaged ${await packageExtension(root, path.join(root, `${name}-${version}.vsix`))}`);
  return 0;
});
