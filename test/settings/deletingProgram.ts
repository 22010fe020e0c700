import { deleteHookFromFile } from "../../src/settings/deleteHook.ts";
import { hookFileLocations } from "../../src/settings/hookFileLocations.ts";
import { listHooks } from "../../src/settings/listHooks.ts";
import { SettingsFileError } from "../../src/settings/settingsProblem.ts";

/** A window: `<home> <prefix>` deletes, one after the other, all hooks whose command begins with the prefix. Prints how each try ended. */
const [home = "", prefix = ""] = process.argv.slice(2);

async function deleteOne(): Promise<boolean> {
  const list = await listHooks(await hookFileLocations({ home }), { trusted: true });
  const aim = list.hooks.find(({ hook }) => hook.command.startsWith(prefix))?.aim;
  if (!aim) return false;
  try {
    await deleteHookFromFile(aim);
    process.stdout.write("deleted\n");
    return true;
  } catch (error) {
    if (!(error instanceof SettingsFileError)) throw error;
    process.stdout.write(`${error.problem.code}\n`);
    return error.problem.code === "fileChanged" || error.problem.code === "fileLocked";
  }
}

async function main(): Promise<void> {
  while (await deleteOne());
}

void main();
