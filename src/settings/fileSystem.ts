import {
  access,
  chmod,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  stat,
  unlink,
} from "node:fs/promises";

/** What this layer needs of a file system: node's own, unless a test puts a faulty disk in its place. */
export const nodeFileSystem = {
  access,
  chmod,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  stat,
  unlink,
};

export type FileSystem = typeof nodeFileSystem;

/** `ENOENT` and the like; undefined for what is no error of the operating system. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** What went wrong, for people: `EACCES: permission denied`, without the path, which the sentence around it names. */
export function errorCause(error: unknown): string {
  return error instanceof Error ? (error.message.split(", ")[0] ?? error.message) : String(error);
}

/** Whether nothing stands at the path. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}
