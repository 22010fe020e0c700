import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { TextDecoder } from "node:util";
import { hashBytes } from "../../settings/settingsText.ts";

/** A text file as it is on disk. */
export interface FileText {
  /** Without its BOM; line ends as in the file. */
  text: string;
  encoding: "utf-8" | "utf-16le" | "utf-16be";
  hasBom: boolean;
  /** True where every byte survives a round trip: only then may the file be edited. */
  isExact: boolean;
  /** SHA-256 of the bytes, hex. */
  hash: string;
  mtimeMs: number;
  size: number;
}

/** Files up to here are read whole, edited and compared. */
export const largestWholeFile = 10 * 1024 * 1024;

/** What stands in the way of a file's use as text. Its message is for the model and says what to do. */
export class FileTextError extends Error {
  override readonly name = "FileTextError";
  constructor(
    message: string,
    readonly reason: "missing" | "notAFile" | "tooLarge" | "binary" | "unreadable",
  ) {
    super(message);
  }
}

/** Reads a whole text file. Rejects with a FileTextError. */
export async function readFileText(file: string): Promise<FileText> {
  return withFile(file, async (handle) => {
    const stats = await handle.stat();
    if (stats.size > largestWholeFile) {
      throw new FileTextError(
        `${file} is too large for this (${mebibytes(stats.size)} MiB; the limit is ${mebibytes(largestWholeFile)} MiB).`,
        "tooLarge",
      );
    }
    const bytes = await handle.readFile();
    if (looksBinary(bytes)) throw binaryError(file);
    return { ...decode(bytes), hash: hashBytes(bytes), mtimeMs: stats.mtimeMs, size: stats.size };
  });
}

/** Opens a regular file for reading: what is no such file could block for ever. Rejects with a FileTextError. */
export async function withFile<T>(file: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  let handle: FileHandle;
  try {
    handle = await open(file, openFlags);
  } catch (error) {
    throw fileError(file, error);
  }
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) {
      throw new FileTextError(`${file} is a folder. Use Glob to list it.`, "notAFile");
    }
    if (!stats.isFile()) throw new FileTextError(`${file} is not a regular file.`, "notAFile");
    return await use(handle);
  } catch (error) {
    throw error instanceof FileTextError ? error : fileError(file, error);
  } finally {
    await handle.close();
  }
}

// O_NONBLOCK: opening a pipe without a writer would wait for ever. Windows has none.
const openFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

export function looksBinary(bytes: Uint8Array): boolean {
  if (utf16Encoding(bytes)) return false;
  return bytes.subarray(0, 8192).includes(0);
}

export function binaryError(file: string): FileTextError {
  return new FileTextError(`${file} is a binary file; it cannot be used as text.`, "binary");
}

/** The bytes of a file for a changed text: BOM and encoding as before. */
export function encodeLike(text: string, original: { hasBom: boolean }): Buffer {
  return Buffer.from(original.hasBom ? `\uFEFF${text}` : text, "utf8");
}

function decode(bytes: Buffer): Pick<FileText, "text" | "encoding" | "hasBom" | "isExact"> {
  const utf16 = utf16Encoding(bytes);
  if (utf16) {
    return { text: new TextDecoder(utf16).decode(bytes), encoding: utf16, hasBom: true, isExact: false };
  }
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const body = hasBom ? bytes.subarray(3) : bytes;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
    return { text, encoding: "utf-8", hasBom, isExact: true };
  } catch {
    return { text: body.toString("utf8"), encoding: "utf-8", hasBom, isExact: false };
  }
}

function utf16Encoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

function fileError(file: string, error: unknown): FileTextError {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new FileTextError(`${file} does not exist.`, "missing");
  }
  const why =
    code === "EACCES" || code === "EPERM"
      ? "permission denied"
      : error instanceof Error
        ? error.message
        : String(error);
  return new FileTextError(`${file} cannot be read: ${why}.`, "unreadable");
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
