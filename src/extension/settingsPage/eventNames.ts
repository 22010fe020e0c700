import { copilotEvents } from "../../hooks/copilotEvents.ts";
import type { HookDialectName } from "../../hooks/hookDefinition.ts";
import type { HookEventName } from "../../hooks/hookEvent.ts";
import { hookEvents } from "../../hooks/hookEvents.ts";

export interface EventName {
  /** What the event means, in English: also the key of its translation. */
  label: string;
  /** The event's name in the other format, where it has one. */
  otherName?: string;
}

/** What is known of an event by the name that a file gives it; undefined for a name that the format does not know. */
export function eventName(written: string, dialect: HookDialectName): EventName | undefined {
  if (dialect === "copilot") {
    const row = copilotEvents.find(({ camelName, pascalName }) => [camelName, pascalName].includes(written));
    if (!row) return undefined;
    const { label, wave } = hookEvents[row.event];
    return { label, ...(wave ? { otherName: row.event } : {}) };
  }
  if (!Object.hasOwn(hookEvents, written)) return undefined;
  const event = hookEvents[written as HookEventName];
  if (!event.wave) return undefined;
  const other = copilotEvents.find((row) => row.event === written);
  return { label: event.label, ...(other ? { otherName: other.camelName } : {}) };
}
