import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { listFiles, PackageManager } from "@vscode/vsce";
import { afterEach, describe, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const require = createRequire(import.meta.url);

/** Stands in for the module that only VS Code has. */
const vscodeStub = `
  const Module = require("node:module");
  const load = Module._load;
  class Nothing { constructor() { return anything; } }
  const anything = new Proxy(Nothing, { get: (_, key) => (key === Symbol.toPrimitive ? () => "" : anything), apply: () => anything });
  Module._load = (name, ...rest) => (name === "vscode" ? anything : load(name, ...rest));
`;

describe("what is packaged", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  });

  it("holds the bundles and texts, and nothing of tests, sources or samples", async () => {
    const files = await listFiles({ cwd: root, packageManager: PackageManager.None });
    const wanted = ["extension.js", "sdk.js", "mcp.js", "settings.js", "chat.js", "settings.css", "chat.css"];
    expect(files).toEqual(expect.arrayContaining(wanted.map((name) => `dist/${name}`)));
    expect(files).toEqual(expect.arrayContaining(["package.nls.zh-cn.json", "l10n/bundle.l10n.zh-cn.json"]));
    expect(
      files.filter((file) => /^(test|src|webview-ui|samples|scripts|bench|node_modules)\//.test(file)),
    ).toEqual([]);
    expect(files.filter((file) => file.endsWith(".map"))).toEqual([]);
  });

  it("loads in plain Node: no bundle needs a module that is not packaged", () => {
    const out = mkdtempSync(path.join(tmpdir(), "wave-hooks-dist-"));
    folders.push(out);
    // Away from the project, where no node_modules could help out.
    const names = ["extension.js", "firstUse.js", "sdk.js", "mcp.js"];
    for (const name of names)
      writeFileSync(path.join(out, name), readFileSync(path.join(root, "dist", name)));
    for (const name of names) {
      const script = `${vscodeStub} console.log(JSON.stringify(Object.keys(require(process.argv[1]))))`;
      const keys = execFileSync(process.execPath, ["-e", script, path.join(out, name)], { encoding: "utf8" });
      expect(JSON.parse(keys), name).not.toEqual([]);
    }
  });

  it("activates from less than 150 KB", () => {
    expect(statSync(path.join(root, "dist", "extension.js")).size).toBeLessThan(150 * 1024);
  });

  it("gives the SDK types that a strict consumer can use", () => {
    const consumer = mkdtempSync(path.join(tmpdir(), "wave-hooks-consumer-"));
    folders.push(consumer);
    mkdirSync(path.join(consumer, "node_modules"));
    symlinkSync(root, path.join(consumer, "node_modules", "wave-hooks"), "junction");
    writeFileSync(
      path.join(consumer, "use.mts"),
      `import { Agent, HookManager } from "wave-hooks/sdk";
       const agent = await Agent.create({ workdir: "." });
       const id: string = agent.sessionId;
       await agent.sendMessage(id);
       await agent.destroy();
       // @ts-expect-error a number is no message: the declarations are really read
       await agent.sendMessage(1);
       console.log(HookManager);
      `,
    );
    const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--skipLibCheck"];
    const types = ["--types", "node", "--typeRoots", path.join(root, "node_modules", "@types")];
    const tsc = require.resolve("typescript/bin/tsc");
    execFileSync(process.execPath, [tsc, ...options, ...types, "use.mts"], {
      cwd: consumer,
      encoding: "utf8",
    });
  });
});
