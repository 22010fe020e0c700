import { createHash } from "node:crypto";
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { errorCause, errorCode, type FileSystem, isMissing, nodeFileSystem } from "./fileSystem.ts";
import type { SettingsProblem } from "./settingsProblem.ts";

/** What stands at a path. `text` is without its BOM; line ends are as in the file. */
export type SettingsText =
  | { state: "read"; text: string; hasBom: boolean; bytes: Buffer; hash: string }
  | { state: "missing" }
  | { state: "failed"; problem: SettingsProblem };

const settingsSizeLimitMiB = 64;
const mebibyte = 1024 * 1024;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Reads a settings file of at most 64 MiB. Never rejects: what is in the way is told apart and returned. */
export async function readSettingsText(path: string, fs: FileSystem = nodeFileSystem): Promise<SettingsText> {
  try {
    const content = await readRegularFile(path, fs);
    return Buffer.isBuffer(content) ? decode(content) : { state: "failed", problem: content };
  } catch (error) {
    if (isMissing(error)) return await missingOrDangling(path, fs);
    const params = { file: path, cause: errorCause(error) };
    return { state: "failed", problem: { code: "fileUnreadable", params } };
  }
}

async function readRegularFile(path: string, fs: FileSystem): Promise<Buffer | SettingsProblem> {
  let handle: FileHandle;
  try {
    // Without O_NONBLOCK the opening of a pipe would wait for somebody to write into it.
    handle = await fs.open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    // Windows refuses to open a folder at all.
    const isFolder = errorCode(error) !== "ENOENT" && (await isDirectory(path, fs));
    if (isFolder) return { code: "fileIsDirectory", params: { file: path } };
    throw error;
  }
  try {
    const info = await handle.stat();
    if (info.isDirectory()) return { code: "fileIsDirectory", params: { file: path } };
    if (!info.isFile()) return { code: "fileNotRegular", params: { file: path } };
    if (info.size > settingsSizeLimitMiB * mebibyte) {
      const params = { size: Math.ceil(info.size / mebibyte), limit: settingsSizeLimitMiB };
      return { code: "fileTooLarge", params };
    }
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function isDirectory(path: string, fs: FileSystem): Promise<boolean> {
  try {
    return (await fs.stat(path)).isDirectory();
  } catch {
    // It cannot be looked at: then the error of opening it tells more.
    return false;
  }
}

async function missingOrDangling(path: string, fs: FileSystem): Promise<SettingsText> {
  try {
    const target = resolve(dirname(path), await fs.readlink(path));
    return { state: "failed", problem: { code: "fileDanglingLink", params: { file: path, target } } };
  } catch {
    // No link stands there, so nothing does.
    return { state: "missing" };
  }
}

function decode(bytes: Buffer): SettingsText {
  const hasBom = bytes.subarray(0, 3).equals(byteOrderMark);
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const text = decoder.decode(hasBom ? bytes.subarray(3) : bytes);
    return { state: "read", text, hasBom, bytes, hash: hashBytes(bytes) };
  } catch {
    return { state: "failed", problem: { code: "fileNotText", params: {} } };
  }
}

/** The bytes of a file with this text. */
export function encodeSettingsText(text: string, hasBom: boolean): Buffer {
  return Buffer.concat(hasBom ? [byteOrderMark, Buffer.from(text)] : [Buffer.from(text)]);
}

/** SHA-256, hex: tells whether a file is still as it was read. */
export function hashBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
