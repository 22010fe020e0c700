import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { substitutePluginRoot, withoutCredentials } from "../../src/hooks/hookEnvironment.ts";
import { HookSetup, type HookWords } from "../support/hookSetup.ts";

describe("E4 a hook's environment", () => {
  let setup: HookSetup;
  afterEach(() => setup.dispose());

  const printed = async (hook: Omit<HookWords, "event">): Promise<string> => {
    const result = await setup.fire([{ event: "PostToolUse", ...hook }]);
    return result.records[0]?.stdout ?? "";
  };

  it("lacks the model's credentials, by name and by value, and keeps the rest", async () => {
    let keys = ["sk-in-use"];
    setup = await HookSetup.create({
      env: {
        WAVE_API_KEY: "sk-other",
        MY_KEY: "sk-in-use",
        OPENAI_API_KEY: "the user's own",
        EMPTY: "",
        HOME: "/h",
      },
      credentials: () => keys,
    });
    const first = await printed({ command: "env" });
    expect(first).not.toContain("sk-");
    expect(first).not.toContain("WAVE_API_KEY");
    expect(first.split("\n")).toEqual(
      expect.arrayContaining(["OPENAI_API_KEY=the user's own", "EMPTY=", "HOME=/h"]),
    );
    keys = ["the user's own", ""];
    const second = await printed({ command: "env" });
    expect(second).not.toContain("OPENAI_API_KEY");
    expect(second).toContain("EMPTY=");
  });

  it("knows no case of names on Windows", () => {
    const key = "sk-0123456789ab";
    expect(withoutCredentials({ PROXY: `https://u:${key}@host/`, OTHER: "o" }, [key])).toEqual({
      OTHER: "o",
    });
    expect(withoutCredentials({ WORD: "monkey" }, ["key"])).toEqual({ WORD: "monkey" });
    expect(withoutCredentials({ Wave_Api_Key: "x", Path: "p", GONE: undefined }, [])).toEqual({ Path: "p" });
  });

  it("names project and plugin to plugin hooks, and no foreign plugin to others", async () => {
    setup = await HookSetup.create({ env: { WAVE_PLUGIN_ROOT: "/foreign", CLAUDE_PROJECT_DIR: "/foreign" } });
    const command = 'echo "$WAVE_PROJECT_DIR,$CLAUDE_PROJECT_DIR,$WAVE_PLUGIN_ROOT,$CLAUDE_PLUGIN_ROOT"';
    const { folder } = setup;
    expect(await printed({ command })).toBe(`${folder},${folder},,\n`);
    expect(await printed({ command, source: "plugin", pluginRoot: "/plugins/a" })).toBe(
      `${folder},${folder},/plugins/a,/plugins/a\n`,
    );
  });

  it.each(["plain", "with blank", "it's $(touch owned) `touch owned`; touch owned"])(
    "runs a plugin's script in a folder named %j, quoted as its documentation asks",
    async (name) => {
      setup = await HookSetup.create();
      const pluginRoot = join(setup.folder, name);
      await mkdir(pluginRoot);
      await writeFile(join(pluginRoot, "run.sh"), "#!/bin/sh\necho ran; ls owned 2>/dev/null\n");
      await chmod(join(pluginRoot, "run.sh"), 0o755);
      for (const variable of ["WAVE_PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT"]) {
        const command = `"\${${variable}}"/run.sh`;
        expect(await printed({ command, source: "plugin", pluginRoot })).toBe("ran\n");
      }
    },
  );

  it("the two names are put in as text only where the path means the same to every shell", async () => {
    setup = await HookSetup.create();
    const other = `\${OTHER}`;
    const command = `'\${WAVE_PLUGIN_ROOT}/a' \${CLAUDE_PLUGIN_ROOT}/b ${other}`;
    expect(substitutePluginRoot(command, "/p/x-1.0")).toBe(`'/p/x-1.0/a' /p/x-1.0/b ${other}`);
    expect(substitutePluginRoot(command, "/p/$&")).toBe(command);
    expect(substitutePluginRoot(command, "/p/a b")).toBe(command);
    expect(substitutePluginRoot(command, "C:\\p")).toBe(command);
    expect(substitutePluginRoot(command, undefined)).toBe(command);
  });
});
