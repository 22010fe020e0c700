import { copilotEventNamed } from "../../src/hooks/copilotEvents.ts";
import type { HookAction, HookDefinition, HookProvenance } from "../../src/hooks/hookDefinition.ts";

/** A definition of the Copilot dialect as the settings loader makes it. */
export function copilotHook(words: {
  /** As written: its spelling decides the format. */
  event: string;
  command?: string;
  action?: HookAction;
  matcher?: string;
  /** Seconds. */
  timeout?: number;
  provenance?: Partial<HookProvenance>;
}): HookDefinition {
  const named = copilotEventNamed(words.event);
  if (!named) throw new Error(`no Copilot event ${words.event}`);
  return {
    event: named.row.event,
    writtenEvent: words.event,
    ...(words.matcher === undefined ? {} : { matcher: words.matcher }),
    action: words.action ?? { type: "command", command: words.command ?? "true" },
    timeoutMs: (words.timeout ?? 30) * 1000,
    timeoutIsExplicit: words.timeout !== undefined,
    async: false,
    asyncRewake: false,
    provenance: {
      source: "project",
      dialect: "copilot",
      file: "/p/.github/hooks/h.json",
      ...words.provenance,
    },
  };
}
