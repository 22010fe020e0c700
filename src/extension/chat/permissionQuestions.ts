import path from "node:path";
import type { PermissionAnswer, PermissionQuestion } from "../../agent/agentOptions.ts";
import type { PermissionQuestionView } from "../../protocol/chatView.ts";
import type { Localizer } from "../localizer.ts";
import { oneLine } from "../oneLine.ts";

export interface PermissionQuestionsOptions {
  l10n: Localizer;
  /** Short name of the file that "allow always" writes to. */
  fileLabel: string;
  /** Writes the rule of "allow always". */
  addRule(rule: string): Promise<void>;
  /** The rule could not be written: the call is allowed this once. */
  onRuleFailed(rule: string, error: unknown): void;
  onChange(): void;
}

interface OpenQuestion {
  view: PermissionQuestionView;
  question: PermissionQuestion;
  settle: (answer: PermissionAnswer) => void;
}

/** Permission questions that wait for the user, in the order in which they came. */
export class PermissionQuestions {
  private readonly open = new Map<string, OpenQuestion>();

  constructor(private readonly options: PermissionQuestionsOptions) {}

  get views(): readonly PermissionQuestionView[] {
    return [...this.open.values()].map(({ view }) => view);
  }

  find(id: string): PermissionQuestion | undefined {
    return this.open.get(id)?.question;
  }

  /** Resolves with the user's answer; a question that is aborted meanwhile disappears and counts as denied. */
  async ask(question: PermissionQuestion): Promise<PermissionAnswer> {
    if (question.signal.aborted) return { behavior: "deny" };
    const id = this.freeId(question.id);
    try {
      return await new Promise<PermissionAnswer>((resolve) => {
        question.signal.addEventListener("abort", () => resolve({ behavior: "deny" }), { once: true });
        this.open.set(id, { view: this.view(id, question), question, settle: resolve });
        this.options.onChange();
      });
    } finally {
      this.open.delete(id);
      this.options.onChange();
    }
  }

  /** The user's answer; one that comes twice, or for a question that is gone, does nothing. */
  answer(id: string, answer: "allow" | "always" | "deny", message?: string): void {
    const found = this.open.get(id);
    if (!found) return;
    const { settle, view } = found;
    if (answer === "deny") settle({ behavior: "deny", ...(message ? { message } : {}) });
    else if (answer === "always" && view.always) void this.allowAlways(view.always.rule, settle);
    else settle({ behavior: "allow" });
  }

  private async allowAlways(rule: string, settle: OpenQuestion["settle"]): Promise<void> {
    try {
      await this.options.addRule(rule);
      settle({ behavior: "allow", rule });
    } catch (error) {
      this.options.onRuleFailed(rule, error);
      settle({ behavior: "allow" });
    }
  }

  private view(id: string, question: PermissionQuestion): PermissionQuestionView {
    const { toolName, summary, diff, file, reason, suggestedRule } = question;
    return {
      id,
      toolName,
      // A command is shown whole: what is allowed has to be readable to its end.
      summary: file === undefined ? summary : oneLine(summary, 500),
      ...(diff === undefined ? {} : { diff }),
      ...(file === undefined ? {} : { file }),
      ...(reason === undefined ? {} : { reason: this.reasonText(reason, file) }),
      ...(suggestedRule === undefined
        ? {}
        : { always: { rule: suggestedRule, fileLabel: this.options.fileLabel } }),
    };
  }

  /** Sentences without names are in the bundle; any other stays as it is. */
  private reasonText(reason: string, file: string | undefined): string {
    const text = this.options.l10n.t(reason);
    // The whole path stands in the summary already, and the side bar is narrow.
    return file === undefined ? text : text.replaceAll(file, path.basename(file));
  }

  /** Calls of subagents may carry ids that are open already. */
  private freeId(id: string): string {
    let free = id;
    for (let number = 2; this.open.has(free); number++) free = `${id}#${number}`;
    return free;
  }
}
