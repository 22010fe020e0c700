import type { HookView } from "../../src/protocol/hookView.ts";

export interface Row {
  /**
   * What stays when other entries of the file come and go (a hook's `id` holds its place, so it does not): focus, scroll
   * position and opened texts hang on it.
   */
  key: string;
  hook: HookView;
}

/** One row per hook, in the host's order. Equal hooks of one file are told apart by counting. */
export function rowsOf(hooks: readonly HookView[]): Row[] {
  const seen = new Map<string, number>();
  return hooks.map((hook) => {
    const content = JSON.stringify([hook.file, hook.event, hook.matcher, hook.command]);
    const count = seen.get(content) ?? 0;
    seen.set(content, count + 1);
    return { key: `${content}#${count}`, hook };
  });
}

/** The rows that hold every word of the filter, in whatever is shown of them, whatever the case. */
export function filterRows(rows: readonly Row[], filter: string): readonly Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter(({ hook }) => {
    const text = [
      hook.event,
      hook.eventLabel,
      hook.otherEventName,
      hook.matcher,
      hook.description,
      hook.command,
      hook.fileLabel,
      hook.sourceLabel,
    ]
      .join("\n")
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** How a hook is named in labels and messages: event and matcher. */
export function hookName(hook: HookView): string {
  return hook.matcher ? `${hook.event} (${hook.matcher})` : hook.event;
}
