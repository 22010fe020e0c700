import { copilotEventNamed, copilotEvents } from "../../hooks/copilotEvents.ts";
import type { HookDialectName } from "../../hooks/hookDefinition.ts";
import type { HookEventName } from "../../hooks/hookEvent.ts";
import { hookEvents } from "../../hooks/hookEvents.ts";

export interface EventName {
  /** What the event means, in English: also the key of its translation. */
  label: string;
  /** The event's name in the other format, where it has one. */
  otherName?: string;
  /** Set for what Copilot's cloud agent never fires (C25). */
  notFiredByCloudAgent?: true;
}

/** What is known of an event by the name that a file gives it; undefined for a name that the format does not know. */
export function eventName(written: string, dialect: HookDialectName): EventName | undefined {
  if (dialect === "copilot") {
    const named = copilotEventNamed(written);
    if (!named) return undefined;
    const { camelName, pascalName, event, firedByCloudAgent } = named.row;
    const otherName = named.format === "camelCase" ? pascalName : camelName;
    return {
      label: hookEvents[event].label,
      ...(otherName === undefined ? {} : { otherName }),
      ...(firedByCloudAgent ? {} : { notFiredByCloudAgent: true }),
    };
  }
  if (!Object.hasOwn(hookEvents, written)) return undefined;
  const event = hookEvents[written as HookEventName];
  if (!event.wave) return undefined;
  const other = copilotEvents.find((row) => row.event === written);
  return { label: event.label, ...(other ? { otherName: other.camelName } : {}) };
}
