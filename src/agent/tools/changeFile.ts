import { mkdir } from "node:fs/promises";
import path from "node:path";
import { SettingsFileError } from "../../settings/settingsProblem.ts";
import { writeFileAtomically } from "../../settings/writeFileAtomically.ts";
import { realPathOf } from "../permissions/resolvePath.ts";
import { encodeLike, type FileText, FileTextError, readFileText } from "./fileText.ts";
import type { ReadFiles } from "./readFiles.ts";

/** The file as it is now, or undefined where there is none. Rejects with a FileTextError for all else. */
export async function currentText(file: string): Promise<FileText | undefined> {
  try {
    return await readFileText(file);
  } catch (error) {
    if (error instanceof FileTextError && error.reason === "missing") return undefined;
    throw error;
  }
}

/** Why the model may not change this file now: it has not seen it, or not as it is (E2). For the model; undefined: it may. */
export async function whyStale(
  file: string,
  current: FileText,
  readFiles: ReadFiles,
): Promise<string | undefined> {
  const seen = readFiles.get(await realPathOf(file));
  if (!seen) return `${file} has not been read yet. Read it first, then change it.`;
  const isUnchanged =
    seen.hash === undefined
      ? seen.mtimeMs === current.mtimeMs && seen.size === current.size
      : seen.hash === current.hash;
  if (isUnchanged) return undefined;
  return `${file} has changed since it was read, by the user, a hook or another program. Nothing was written. Read it again, then repeat the change.`;
}

/** Why this content cannot be kept through an edit. */
export function whyNotEditable(file: string, current: FileText): string | undefined {
  if (current.isExact) return undefined;
  return current.encoding === "utf-8"
    ? `${file} is not valid UTF-8; a change would damage it. Use a command instead.`
    : `${file} is encoded as ${current.encoding.toUpperCase()}; only UTF-8 files can be changed.`;
}

/**
 * Writes in one step, never over a content other than `current` (undefined: the file must not exist yet), and remembers the
 * result as seen. Folders on the way are made. Resolves with the reason where it could not be written.
 */
export async function writeText(
  file: string,
  text: string,
  current: FileText | undefined,
  readFiles: ReadFiles,
): Promise<string | undefined> {
  const bytes = encodeLike(text, { hasBom: current?.hasBom ?? false });
  try {
    if (!current) await mkdir(path.dirname(file), { recursive: true });
    const { hash } = await writeFileAtomically(file, bytes, { expectedHash: current?.hash ?? null });
    readFiles.remember(await realPathOf(file), { mtimeMs: 0, size: bytes.length, hash });
    return undefined;
  } catch (error) {
    if (error instanceof SettingsFileError) return error.message;
    return `${file} could not be written: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Line ends as in the file that is replaced: what the model writes has `\n`. */
export function withLineEndsOf(original: string, text: string): string {
  const windows = original.split("\r\n").length - 1;
  const unix = original.split("\n").length - 1 - windows;
  return windows > unix && !text.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}
