import type { Disposable } from "../../base/disposable.ts";
import type { HookSnapshot } from "../../protocol/hookView.ts";
import { type HookFilePlaces, hookFileLocations } from "../../settings/hookFileLocations.ts";
import { type HookList, type ListedHook, listHooks } from "../../settings/listHooks.ts";
import { type HookFilesWatch, watchHookFiles } from "../../settings/watchHookFiles.ts";
import type { Localizer } from "../localizer.ts";
import { hookSnapshot } from "./hookSnapshot.ts";

export interface LiveHookListOptions {
  places: HookFilePlaces & { workdir: string };
  projectName: string;
  trusted: () => boolean;
  l10n: Localizer;
  /** Grows with each call over the life of the window. */
  nextRevision: () => number;
  onChange: (snapshot: HookSnapshot) => void;
  onError: (error: unknown) => void;
}

/** The hooks of one project, always as the files are now. */
export class LiveHookList implements Disposable {
  private list: HookList = { hooks: [], problems: [] };
  private current: HookSnapshot | undefined;
  private reading: Promise<void> | undefined;
  private readAgain = false;
  private disposed = false;
  private readonly watch: HookFilesWatch;

  constructor(private readonly options: LiveHookListOptions) {
    this.watch = watchHookFiles(
      () => hookFileLocations(options.places),
      () => void this.refresh(),
      { onError: options.onError },
    );
    // Not before: a change between the first look and the watch would go unseen.
    void this.watch.ready.then(() => this.refresh());
  }

  /** The last snapshot; undefined until the first look at the disk is over. */
  get snapshot(): HookSnapshot | undefined {
    return this.current;
  }

  find(id: string): ListedHook | undefined {
    return this.list.hooks.find((listed) => listed.id === id);
  }

  /** Whether the list shows something of that file: the page may open no other. */
  hasFile(file: string): boolean {
    return [...this.list.hooks, ...this.list.problems].some((item) => item.location.file === file);
  }

  /** Looks for changes that no event told of. */
  async check(): Promise<void> {
    await this.watch.check();
  }

  /** Reads everything anew; resolves when `onChange` was called with what was on disk at the time of this call or later. */
  async refresh(): Promise<void> {
    if (this.reading !== undefined) this.readAgain = true;
    else this.reading = this.readUntilQuiet();
    await this.reading;
  }

  dispose(): void {
    this.disposed = true;
    this.watch.dispose();
  }

  private async readUntilQuiet(): Promise<void> {
    do {
      this.readAgain = false;
      try {
        await this.read();
      } catch (error) {
        this.options.onError(error);
      }
    } while (this.readAgain && !this.disposed);
    this.reading = undefined;
  }

  private async read(): Promise<void> {
    const { places, projectName, l10n } = this.options;
    const trusted = this.options.trusted();
    const list = await listHooks(await hookFileLocations(places), { trusted });
    if (this.disposed) return;
    this.list = list;
    const revision = this.options.nextRevision();
    this.current = hookSnapshot(list, { revision, projectName, projectDir: places.workdir, trusted }, l10n);
    this.options.onChange(this.current);
  }
}
