/** What of the background hooks is meant. */
export interface AsyncHookScope {
  sessionId: string;
  /** Only those that this turn started. */
  turnId?: string;
  /** An interruption ends these alone; plain async hooks run on (design.md section 9). */
  onlyAsyncRewake?: boolean;
}

interface BackgroundHook {
  sessionId: string;
  turnId: string | undefined;
  asyncRewake: boolean;
  abort: AbortController;
  finished: Promise<void>;
}

/** The hooks that were started and left running, each until it has ended. */
export class BackgroundHooks {
  private readonly running = new Set<BackgroundHook>();

  /** @param run Must not reject. Its signal aborts when the hook is ended from here. */
  start(
    scope: { sessionId: string; turnId: string | undefined; asyncRewake: boolean },
    run: (signal: AbortSignal) => Promise<void>,
  ): void {
    const abort = new AbortController();
    const finished = run(abort.signal);
    const hook: BackgroundHook = { ...scope, abort, finished };
    this.running.add(hook);
    void finished.finally(() => this.running.delete(hook));
  }

  /** Resolves when the processes of all that are meant are gone. */
  async end(scope?: AsyncHookScope): Promise<void> {
    const meant = [...this.running].filter((hook) => scope === undefined || isMeant(hook, scope));
    for (const hook of meant) hook.abort.abort();
    await Promise.all(meant.map((hook) => hook.finished));
  }
}

function isMeant(hook: BackgroundHook, scope: AsyncHookScope): boolean {
  return (
    hook.sessionId === scope.sessionId &&
    (scope.turnId === undefined || hook.turnId === scope.turnId) &&
    (!scope.onlyAsyncRewake || hook.asyncRewake)
  );
}
