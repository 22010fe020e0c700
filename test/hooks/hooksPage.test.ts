import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { waveEventNames } from "../../src/hooks/hookEvents.ts";
import { HookSetup, hook, sampleEvents } from "../support/hookSetup.ts";
import { hookTables, withHookTables } from "../support/hookTables.ts";

const file = resolve(import.meta.dirname, "../../docs/hooks.md");

describe("docs/hooks.md", () => {
  let setup: HookSetup | undefined;
  afterEach(() => setup?.dispose());

  it("says what the table of events says (WAVE_UPDATE_DOCS=1 npx vitest run test/hooks/hooksPage writes it anew)", async () => {
    const page = await readFile(file, "utf8");
    const made = withHookTables(page);
    if (process.env.WAVE_UPDATE_DOCS === "1") await writeFile(file, made);
    else expect(page).toBe(made);
    for (const [name, make] of Object.entries(hookTables)) {
      expect(page, name).toContain(`<!-- table: ${name} -->`);
      for (const event of waveEventNames) expect(make(), name).toContain(`| \`${event}\` |`);
    }
  });

  it("gives an example of settings that runs, and one of output that counts", async () => {
    const page = await readFile(file, "utf8");
    const [settings, output] = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) =>
      JSON.parse(text ?? ""),
    );
    setup = await HookSetup.create();
    const [group] = settings.hooks.PreToolUse;
    setup.hooks.set([
      hook({ event: "PreToolUse", matcher: group.matcher, command: group.hooks[0].command }),
      hook({ event: "PostToolUse", command: `echo '${JSON.stringify(output)}'` }),
    ]);
    const missing = await setup.manager.fire(sampleEvents.PreToolUse, setup.session);
    expect(missing.notices[0]?.text).toContain(`"${setup.folder}/.wave/hooks/guard.sh" does not exist`);
    const told = await setup.manager.fire(sampleEvents.PostToolUse, setup.session);
    expect(told.modelMessages).toEqual(["<system-reminder>\nfor the model\n</system-reminder>"]);
  });
});
