import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** A file written by position. Both methods reject with the system's error and then have done part of the work or none. */
export interface PositionalFile {
  write(bytes: Uint8Array, position: number): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens for writing, creating with mode 0600. A parameter, so that tests can make each single write fail. */
export type OpenFile = (path: string) => Promise<PositionalFile>;

export const openOnDisk: OpenFile = async (path) => {
  const handle = await open(path, openFlags, 0o600);
  return {
    async write(bytes, position) {
      let done = 0;
      while (done < bytes.length) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
        done += bytesWritten;
      }
    },
    truncate: (length) => handle.truncate(length),
    close: () => handle.close(),
  };
};

const openFlags = constants.O_RDWR | constants.O_CREAT;
