import type { BigIntStats } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { HookDialectName } from "../hooks/hookDefinition.ts";
import { type FileSystem, nodeFileSystem } from "./fileSystem.ts";
import { readableDialects } from "./hooksFile.ts";

/** Where to look: handed in, so that tests never meet the real home folder. */
export interface HookFilePlaces {
  /** Absolute path of the user's home folder. */
  home: string;
  /** Absolute path of the project's folder; absent where no folder is open. */
  workdir?: string;
  /** Plugins given in code (`Agent.create({plugins})`), beside those of `~/.wave/plugins`. */
  plugins?: readonly { path: string }[];
  env?: Readonly<Record<string, string | undefined>>;
}

/** One place from which hooks may come, whether or not a file stands there. */
export interface HookFileLocation {
  source: "plugin" | "user" | "project" | "local";
  dialect: HookDialectName;
  /** Absolute path, as people know it: links are not resolved. */
  file: string;
  /** Short form for people: `~/.wave/settings.json`, `.wave/settings.json`. */
  fileLabel: string;
  pluginName?: string;
  /** Absolute folder of the plugin. */
  pluginRoot?: string;
  /** True for a plugin given in code: settings cannot turn it off. */
  pluginIsGivenInCode?: boolean;
  /** False for plugins: their hooks are listed only. */
  canChange: boolean;
}

/** In run order; each real file once, however many paths lead to it. */
export interface HookFileLocations {
  files: readonly HookFileLocation[];
  /** Folders whose list of entries decides which files there are. */
  folders: readonly string[];
}

/**
 * Where hooks may come from, in run order: plugins, user, project, local; in one level the Wave file before the Copilot files,
 * those by name (design.md section 3).
 */
export async function hookFileLocations(
  places: HookFilePlaces,
  options: { dialects?: readonly HookDialectName[]; fs?: FileSystem } = {},
): Promise<HookFileLocations> {
  const { dialects = readableDialects, fs = nodeFileSystem } = options;
  const candidates = await candidateLocations(places, dialects, fs);
  const stats = await Promise.all(candidates.files.map(({ file }) => statIfReachable(file, fs)));
  return { files: withoutRepeatedFiles(candidates.files, stats), folders: candidates.folders };
}

/** The same, before files that are reached twice are dropped: depends on the folders alone. */
export async function candidateLocations(
  { home, workdir, plugins = [], env = {} }: HookFilePlaces,
  dialects: readonly HookDialectName[],
  fs: FileSystem,
): Promise<HookFileLocations> {
  const pluginsFolder = join(home, ".wave", "plugins");
  const userCopilotFolder = join(env.COPILOT_HOME || join(home, ".copilot"), "hooks");
  const projectCopilotFolder = workdir === undefined ? undefined : join(workdir, ".github", "hooks");
  const inHome = { folder: home, as: "~/" };
  const inProject = workdir === undefined ? [] : [{ folder: workdir, as: "" }];
  const usesCopilot = dialects.includes("copilot");

  const jsonFilesOf = async (folder: string | undefined, source: "user" | "project") => {
    if (folder === undefined || !usesCopilot) return [];
    const names = (await namesIn(folder, fs)).filter((name) => name.endsWith(".json"));
    return names.map((name) => changeable(source, "copilot", join(folder, name)));
  };
  const changeable = (
    source: "user" | "project" | "local",
    dialect: HookDialectName,
    file: string,
  ): HookFileLocation => {
    const fileLabel = label(file, source === "user" ? [inHome, ...inProject] : [...inProject, inHome]);
    return { source, dialect, file, fileLabel, canChange: true };
  };
  const pluginAt = (root: string, isGivenInCode: boolean): HookFileLocation => {
    const file = join(root, "hooks", "hooks.json");
    const location: HookFileLocation = {
      source: "plugin",
      dialect: "wave",
      file,
      fileLabel: label(file, [inHome, ...inProject]),
      pluginName: basename(root),
      pluginRoot: root,
      canChange: false,
    };
    return isGivenInCode ? { ...location, pluginIsGivenInCode: true } : location;
  };

  const installed = (await namesIn(pluginsFolder, fs)).filter((name) => !name.startsWith("."));
  const projectFile = (name: string, source: "project" | "local") =>
    workdir === undefined ? [] : [changeable(source, "wave", join(workdir, ".wave", name))];
  return {
    files: [
      // Those given in code come first, so that they count where a folder is named twice.
      ...plugins.map(({ path }) => pluginAt(resolve(workdir ?? home, path), true)),
      ...installed.map((name) => pluginAt(join(pluginsFolder, name), false)),
      changeable("user", "wave", join(home, ".wave", "settings.json")),
      ...(await jsonFilesOf(userCopilotFolder, "user")),
      ...projectFile("settings.json", "project"),
      ...(await jsonFilesOf(projectCopilotFolder, "project")),
      ...projectFile("settings.local.json", "local"),
    ],
    folders: [
      pluginsFolder,
      ...(usesCopilot ? [userCopilotFolder] : []),
      ...(usesCopilot && projectCopilotFolder !== undefined ? [projectCopilotFolder] : []),
    ],
  };
}

/** Keeps the first of those that are the same file: by path where nothing stands there, else by device and inode. */
export function withoutRepeatedFiles(
  files: readonly HookFileLocation[],
  stats: readonly (BigIntStats | undefined)[],
): HookFileLocation[] {
  const seen = new Set<string>();
  return files.filter(({ file }, index) => {
    const info = stats[index];
    const key = info && info.ino !== 0n ? `${info.dev}:${info.ino}` : file;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Links followed; undefined where nothing stands, or nothing that may be looked at. */
export async function statIfReachable(path: string, fs: FileSystem): Promise<BigIntStats | undefined> {
  try {
    return await fs.stat(path, { bigint: true });
  } catch {
    // Why it cannot be reached is said when it is read.
    return undefined;
  }
}

async function namesIn(folder: string, fs: FileSystem): Promise<string[]> {
  try {
    return (await fs.readdir(folder)).sort((a, b) => (a < b ? -1 : 1));
  } catch {
    // No such folder, or none that may be read: then no files come from it.
    return [];
  }
}

function label(file: string, nearest: readonly { folder: string; as: string }[]): string {
  for (const { folder, as } of nearest) {
    const prefix = join(folder, "/");
    if (file.startsWith(prefix)) return as + file.slice(prefix.length).replaceAll("\\", "/");
  }
  return file;
}
