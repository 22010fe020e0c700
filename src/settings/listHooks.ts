import { createHash } from "node:crypto";
import type { HookAim } from "./deleteHook.ts";
import { type FileSystem, nodeFileSystem } from "./fileSystem.ts";
import type { HookFileLocation, HookFileLocations } from "./hookFileLocations.ts";
import { type NotRunning, runRule } from "./hooksInForce.ts";
import { type LoadedFile, loadFiles } from "./loadedFile.ts";
import type { ParsedHook } from "./parsedHook.ts";
import type { LocatedProblem } from "./settingsProblem.ts";

/** One hook of the settings page, not yet in the user's language. */
export interface ListedHook {
  /** Stays the same while file, place and content do. */
  id: string;
  location: HookFileLocation;
  hook: ParsedHook;
  /** Position in run order, from 0, over all sources. */
  order: number;
  willRun: boolean;
  notRunning?: NotRunning;
  /** False for plugin hooks (H29.5, H30.5). */
  canChange: boolean;
  /** What to hand to `deleteHookFromFile`; absent where the hook cannot be changed here. */
  aim?: HookAim;
}

export interface ListedProblem extends LocatedProblem {
  location: HookFileLocation;
}

export interface HookList {
  hooks: readonly ListedHook[];
  problems: readonly ListedProblem[];
}

/** Everything that is on disk now. Never rejects for what a file holds. */
export async function listHooks(
  locations: HookFileLocations,
  { trusted, fs = nodeFileSystem }: { trusted: boolean; fs?: FileSystem },
): Promise<HookList> {
  const files = await loadFiles(locations.files, fs);
  const whyNot = runRule(files, trusted);
  const found = files.flatMap((file) => (file.content?.hooks.hooks ?? []).map((hook) => ({ file, hook })));
  return {
    hooks: found.map(({ file, hook }, order) => listed(file, hook, order, whyNot(file, hook))),
    problems: files.flatMap(({ location, problems }) =>
      problems.map((problem) => ({ ...problem, location })),
    ),
  };
}

function listed(
  { location, hash = "", text = "" }: LoadedFile,
  hook: ParsedHook,
  order: number,
  notRunning: NotRunning | undefined,
): ListedHook {
  const { jsonPath, matcher, offset, length } = hook;
  const content = text.slice(offset, offset + length);
  const identity = JSON.stringify([location.file, jsonPath, matcher, content]);
  return {
    id: createHash("sha256").update(identity).digest("base64url").slice(0, 22),
    location,
    hook,
    order,
    willRun: notRunning === undefined,
    ...(notRunning ? { notRunning } : {}),
    canChange: location.canChange,
    ...(location.canChange ? { aim: { file: location.file, jsonPath, fileHash: hash } } : {}),
  };
}
