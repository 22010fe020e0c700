/**
 * Replaces the content of a file in one step: links and the file's mode stay, and a reader sees the old or the new content, never half.
 * `expectedHash`: the SHA-256 (hex) that the file must still have; `null`: it must not exist; absent: whatever it has.
 * Rejects with a SettingsFileError and leaves the file as it was.
 */
export declare function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  options?: { expectedHash?: string | null },
): Promise<{ hash: string }>;

/** SHA-256, hex. */
export declare function hashBytes(bytes: Uint8Array): string;
