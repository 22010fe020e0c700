/** How a turn ended. Whatever it is, the conversation is consistent: every tool call has its answer. */
export type TurnEnd =
  | { kind: "done" }
  /** `abortMessage`, a refusal that ends the turn, or the end of the session. */
  | { kind: "interrupted" }
  /** The model could not be asked; the user has been told. */
  | { kind: "modelFailed"; message: string }
  /** The prompt was refused by a UserPromptSubmit hook. */
  | { kind: "promptBlocked" }
  /** A limit on model requests was reached (subagents). */
  | { kind: "limitReached" };
