import type { JsonPath } from "./hooksFile.ts";

/** Which hook is meant: by file, place and content, as of the moment at which the list was made. */
export interface HookAim {
  file: string;
  jsonPath: JsonPath;
  /** Hash of the whole file: any change of it since makes the aim stale. */
  fileHash: string;
  /** The id of the listed hook. */
  id: string;
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
export declare function deleteHookFromFile(aim: HookAim): Promise<FileChange>;

/** Puts the exact bytes back. Rejects with a SettingsFileError ("fileChanged") if the file is not as the change left it. */
export declare function undoFileChange(change: FileChange): Promise<void>;
