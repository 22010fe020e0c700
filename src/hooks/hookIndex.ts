import type { Logger } from "../base/logger.ts";
import { nameHook } from "./describeHookRun.ts";
import type { HookConfiguration, HookDefinition } from "./hookDefinition.ts";
import type { HookDialect } from "./hookDialect.ts";
import type { HookEvent, HookEventName } from "./hookEvent.ts";

/** A hook together with the dialect that it is written in. */
export interface SelectableHook {
  hook: HookDefinition;
  dialect: HookDialect;
}

interface CompiledHook extends SelectableHook {
  selects(event: HookEvent): boolean;
}

interface EventHooks {
  all: CompiledHook[];
  dialects: HookDialect[];
  /** Selections by the dialects' keys: what an event costs does not depend on how many hooks there are. */
  selections: Map<string, readonly SelectableHook[]>;
}

const none: readonly SelectableHook[] = [];
/** Tool names and the like are few; the bound holds against whoever sends endless different ones. */
const mostSelections = 1000;

/** The hooks of one configuration, compiled once and sorted by event. */
export class HookIndex {
  private readonly events = new Map<HookEventName, EventHooks>();

  constructor(configuration: HookConfiguration, dialects: readonly HookDialect[], logger: Logger) {
    const byName = new Map(dialects.map((dialect) => [dialect.name, dialect]));
    for (const hook of configuration.hooks) {
      const dialect = byName.get(hook.provenance.dialect);
      const compiled = dialect?.compile(hook);
      if (dialect === undefined || compiled === undefined) {
        logger.warn(
          `${nameHook(hook)} is skipped: its file format ${hook.provenance.dialect} is not supported.`,
        );
      } else if (!compiled.ok) {
        logger.warn(`${nameHook(hook)} is skipped: ${compiled.reason}.`);
      } else {
        this.add({ hook, dialect, selects: compiled.selects });
      }
    }
  }

  has(event: HookEventName): boolean {
    return this.events.has(event);
  }

  /** In definition order. */
  select(event: HookEvent): readonly SelectableHook[] {
    const entry = this.events.get(event.name);
    if (entry === undefined) return none;
    const key = selectionKey(entry.dialects, event);
    const known = entry.selections.get(key);
    if (known !== undefined) return known;
    const selection = entry.all.filter((hook) => hook.selects(event));
    if (entry.selections.size >= mostSelections) entry.selections.clear();
    entry.selections.set(key, selection);
    return selection;
  }

  private add(hook: CompiledHook): void {
    const entry = this.events.get(hook.hook.event);
    if (entry === undefined) {
      this.events.set(hook.hook.event, { all: [hook], dialects: [hook.dialect], selections: new Map() });
      return;
    }
    entry.all.push(hook);
    if (!entry.dialects.includes(hook.dialect)) entry.dialects.push(hook.dialect);
  }
}

function selectionKey(dialects: readonly HookDialect[], event: HookEvent): string {
  const [first, ...others] = dialects;
  if (first === undefined) return "";
  if (others.length === 0) return first.selectionKey(event);
  return JSON.stringify(dialects.map((dialect) => dialect.selectionKey(event)));
}
