import { type FileSystem, nodeFileSystem } from "./fileSystem.ts";
import type { JsonPath } from "./parsedHook.ts";
import { removeHook } from "./removeHook.ts";
import { SettingsDocument } from "./settingsDocument.ts";
import { SettingsFileError, type SettingsProblem } from "./settingsProblem.ts";
import { encodeSettingsText, readSettingsText } from "./settingsText.ts";
import { writeFileAtomically } from "./writeFileAtomically.ts";

/** Which hook is meant: by file, place and content, as of the moment at which the list was made. */
export interface HookAim {
  file: string;
  jsonPath: JsonPath;
  /** Hash of the whole file: any change of it since makes the aim stale. */
  fileHash: string;
}

/** What is needed to take the change back. */
export interface FileChange {
  file: string;
  previousBytes: Buffer;
  /** Hash of the file as the change left it. */
  currentHash: string;
}

/**
 * Removes exactly that hook from its file, atomically. Rejects with a SettingsFileError, and has then changed nothing.
 */
export async function deleteHookFromFile(aim: HookAim, fs: FileSystem = nodeFileSystem): Promise<FileChange> {
  const { file } = aim;
  const read = await readSettingsText(file, fs);
  if (read.state === "missing") throw new SettingsFileError(file, { code: "fileGone", params: { file } });
  if (read.state === "failed") throw new SettingsFileError(file, notEditable(file, read.problem));
  const removal = removeHook(read.text, aim.jsonPath);
  if (!removal.ok && removal.reason === "notJson") throw notValid(file, read.text);
  if (read.hash !== aim.fileHash)
    throw new SettingsFileError(file, { code: "fileChanged", params: { file } });
  if (!removal.ok) throw new SettingsFileError(file, { code: "editUnsafe", params: { file } });
  const bytes = encodeSettingsText(removal.text, read.hasBom);
  const { hash } = await writeFileAtomically(file, bytes, { expectedHash: read.hash, fs });
  return { file, previousBytes: read.bytes, currentHash: hash };
}

/** Puts the exact bytes back. Rejects with a SettingsFileError ("fileChanged") if the file is not as the change left it. */
export async function undoFileChange(change: FileChange, fs: FileSystem = nodeFileSystem): Promise<void> {
  const { file, previousBytes, currentHash } = change;
  await writeFileAtomically(file, previousBytes, { expectedHash: currentHash, fs });
}

/** A link to nothing is a file that is gone; everything else is said as it is. */
function notEditable(file: string, problem: SettingsProblem): SettingsProblem {
  return problem.code === "fileDanglingLink" ? { code: "fileGone", params: { file } } : problem;
}

function notValid(file: string, text: string): SettingsFileError {
  const { line, column } = new SettingsDocument(text).problems[0] ?? { line: 1, column: 1 };
  return new SettingsFileError(file, { code: "fileNotValid", params: { file, line, column } });
}
