import { type FilePermissions, holdsPermissions, readPermissions } from "./filePermissions.ts";
import { type FileSystem, nodeFileSystem } from "./fileSystem.ts";
import type { HookFileLocation } from "./hookFileLocations.ts";
import { type ParsedHooksFile, readHooks } from "./hooksFile.ts";
import { SettingsDocument } from "./settingsDocument.ts";
import type { LocatedProblem } from "./settingsProblem.ts";
import { readSettingsText, type SettingsText } from "./settingsText.ts";

/** What a file says, of everything that this layer reads. */
export interface FileContent {
  hooks: ParsedHooksFile;
  permissions: FilePermissions;
}

/** One location with what stands there. */
export interface LoadedFile {
  location: HookFileLocation;
  /** `broken`: something is there that cannot be read or is no settings object. */
  state: "read" | "missing" | "broken";
  /** Absent unless read; a store may fill in what the file said when it was last in order. */
  content?: FileContent;
  problems: readonly LocatedProblem[];
  /** Of the bytes on disk, where they could be read. */
  hash?: string;
  text?: string;
}

export async function loadFiles(
  locations: readonly HookFileLocation[],
  fs: FileSystem = nodeFileSystem,
): Promise<LoadedFile[]> {
  return Promise.all(
    locations.map(async (location) => loadedFile(location, await readSettingsText(location.file, fs))),
  );
}

export function loadedFile(location: HookFileLocation, read: SettingsText): LoadedFile {
  if (read.state === "missing") return { location, state: "missing", problems: [] };
  if (read.state === "failed") {
    const problem: LocatedProblem = { ...read.problem, severity: "error", line: 1, column: 1 };
    // A link to nothing gives nothing to read, and nothing that could be kept.
    const state = problem.code === "fileDanglingLink" ? "missing" : "broken";
    return { location, state, problems: [problem] };
  }
  const document = new SettingsDocument(read.text);
  const permissions: FilePermissions = holdsPermissions(location) ? readPermissions(document) : { rules: [] };
  const hooks = readHooks(document, originOf(location));
  const { hash, text } = read;
  const shared = { location, problems: hooks.problems, hash, text };
  return hooks.isValid
    ? { ...shared, state: "read", content: { hooks, permissions } }
    : { ...shared, state: "broken" };
}

function originOf({ source, dialect, file, pluginName, pluginRoot }: HookFileLocation) {
  return {
    source,
    dialect,
    file,
    ...(pluginName === undefined ? {} : { pluginName }),
    ...(pluginRoot === undefined ? {} : { pluginRoot }),
  };
}
