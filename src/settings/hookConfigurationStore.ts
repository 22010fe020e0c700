import { isDeepStrictEqual } from "node:util";
import type { HookConfigurationSource } from "../hooks/hookConfigurationSource.ts";
import type { HookConfiguration, HookDefinition } from "../hooks/hookDefinition.ts";
import { fileSignature } from "./fileSignature.ts";
import { type FileSystem, nodeFileSystem } from "./fileSystem.ts";
import {
  candidateLocations,
  type HookFileLocations,
  type HookFilePlaces,
  statIfReachable,
  withoutRepeatedFiles,
} from "./hookFileLocations.ts";
import { parseCodeHooks, readableDialects } from "./hooksFile.ts";
import { runRule, whoDisablesHooks } from "./hooksInForce.ts";
import type { LoadedFile } from "./loadedFile.ts";
import { LoadedFileCache } from "./loadedFileCache.ts";
import { mergePermissions, type PermissionRules } from "./permissionRules.ts";
import type { LocatedProblem } from "./settingsProblem.ts";

/** Said once for each change of a file that has problems, and once when they are gone. */
export interface SettingsFileReport {
  /** Absent for hooks given in code. */
  file?: string;
  /** Empty: the file is in order again. */
  problems: readonly LocatedProblem[];
  /** True where the file could not be read or parsed and what it held before stays in force. */
  keptLastGood: boolean;
}

export interface HookConfigurationStoreOptions {
  places: HookFilePlaces;
  /** Hooks given in code, in the shape of the "hooks" key of a settings file; they run first (H18.3). */
  codeHooks?: unknown;
  /** In an untrusted workspace there is no hook at all. Asked at each event. */
  trusted: () => boolean;
  /** Must not throw. */
  onReport?: (report: SettingsFileReport) => void;
  fs?: FileSystem;
}

/** What is in force, always as the files are now; cheap to ask while nothing changes. */
export class HookConfigurationStore implements HookConfigurationSource {
  private readonly options: HookConfigurationStoreOptions;
  private readonly fs: FileSystem;
  private readonly cache: LoadedFileCache;
  private readonly codeHooks: readonly HookDefinition[];
  private candidates: { found: HookFileLocations; signature: string; isSettled: boolean } | undefined;
  private files: readonly LoadedFile[] = [];
  private configuration: HookConfiguration = { hooks: [], revision: 0 };
  private configuredFor: { files: readonly LoadedFile[]; trusted: boolean } | undefined;
  private lastLook: Promise<void> = Promise.resolve();
  /** Asked for and not yet begun. */
  private waitingLook: Promise<void> | undefined;

  constructor(options: HookConfigurationStoreOptions) {
    this.options = options;
    this.fs = options.fs ?? nodeFileSystem;
    this.cache = new LoadedFileCache(this.fs);
    const { hooks, problems } = parseCodeHooks(options.codeHooks);
    this.codeHooks = hooks.flatMap(({ definition }) => definition ?? []);
    if (problems.length > 0) options.onReport?.({ problems, keptLastGood: false });
  }

  /** Looks at the files and returns what is in force. Take it once per event. Never rejects. */
  async current(): Promise<HookConfiguration> {
    await this.look();
    return this.configure();
  }

  /** What `current` gave last; no hooks before the first look. */
  get latest(): HookConfiguration {
    return this.configuration;
  }

  /** Permission rules of the same files; those of a file that broke stay in force too. Never rejects. */
  async permissionRules(): Promise<PermissionRules> {
    await this.look();
    return mergePermissions(this.files);
  }

  /** A look that begins after the call: one that is under way may have passed the file that just changed. */
  private look(): Promise<void> {
    this.waitingLook ??= this.lastLook.then(() => {
      this.waitingLook = undefined;
      return this.readChanges();
    });
    this.lastLook = this.waitingLook;
    return this.waitingLook;
  }

  private async readChanges(): Promise<void> {
    const candidates = await this.findCandidates();
    const stats = await Promise.all(candidates.files.map(({ file }) => statIfReachable(file, this.fs)));
    const statOf = new Map(candidates.files.map((location, index) => [location, stats[index]]));
    const locations = withoutRepeatedFiles(candidates.files, stats);
    const files = await Promise.all(
      locations.map((location) => this.cache.load(location, statOf.get(location))),
    );
    this.cache.retain(locations);
    const before = this.files;
    if (files.length === before.length && files.every((file, index) => file === before[index])) return;
    this.files = files;
    this.reportChanges(before);
  }

  private async findCandidates(): Promise<HookFileLocations> {
    const { places } = this.options;
    const known = this.candidates;
    if (known?.isSettled && (await this.folderSignature(known.found)).value === known.signature)
      return known.found;
    // Stated before read, so that a change in between is seen the next time.
    const before = known && (await this.folderSignature(known.found));
    const found = await candidateLocations(places, readableDialects, this.fs);
    const { value, isSettled } = before ?? { value: "", isSettled: false };
    this.candidates = { found: sameLocations(known?.found, found), signature: value, isSettled };
    return this.candidates.found;
  }

  private async folderSignature({ folders }: HookFileLocations) {
    const now = Date.now();
    const stats = await Promise.all(folders.map((folder) => statIfReachable(folder, this.fs)));
    const signatures = stats.map((info) => fileSignature(info, now));
    return {
      value: signatures.map(({ value }) => value).join(" "),
      isSettled: signatures.every(({ isSettled }) => isSettled),
    };
  }

  private reportChanges(before: readonly LoadedFile[]): void {
    const old = new Map(before.map((file) => [file.location.file, file]));
    for (const file of this.files) {
      const { location, problems, state, content } = file;
      const hadProblems = (old.get(location.file)?.problems.length ?? 0) > 0;
      if (old.get(location.file) === file || (problems.length === 0 && !hadProblems)) continue;
      const keptLastGood = state === "broken" && content !== undefined;
      this.options.onReport?.({ file: location.file, problems, keptLastGood });
    }
  }

  private configure(): HookConfiguration {
    const trusted = this.options.trusted();
    const { files, configuredFor } = this;
    if (configuredFor?.files === files && configuredFor.trusted === trusted) return this.configuration;
    this.configuredFor = { files, trusted };
    const hooks = trusted ? this.hooksOf(files) : [];
    this.configuration = { hooks, revision: this.configuration.revision + 1 };
    return this.configuration;
  }

  private hooksOf(files: readonly LoadedFile[]): HookDefinition[] {
    const whyNot = runRule(files, true);
    const fromCode = whoDisablesHooks(files) === undefined ? this.codeHooks : [];
    const fromFiles = files.flatMap((file) =>
      (file.content?.hooks.hooks ?? []).flatMap((hook) =>
        hook.definition && !whyNot(file, hook) ? [hook.definition] : [],
      ),
    );
    return [...fromCode, ...fromFiles];
  }
}

/** The known objects where nothing differs: what is keyed by them stays. */
function sameLocations(known: HookFileLocations | undefined, found: HookFileLocations): HookFileLocations {
  return known && isDeepStrictEqual(known, found) ? known : found;
}
