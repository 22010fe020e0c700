import type { Conversation } from "./conversation.ts";
import { userMessage } from "./messages/message.ts";
import type { SessionHooks } from "./sessionHooks.ts";

/**
 * Takes a user's prompt into the conversation, past the hooks. False: a hook refused it, nothing of it stays, and the user
 * has been told why (H14.3, X3).
 */
export async function submitPrompt(
  prompt: string,
  conversation: Conversation,
  hooks: SessionHooks,
  signal: AbortSignal,
): Promise<boolean> {
  const submitted = await hooks.run({ name: "UserPromptSubmit", prompt }, signal);
  if (signal.aborted) {
    // The hooks could not give their word on it: it must not reach the model with the next prompt.
    hooks.tellUser("info", "Interrupted before the prompt was sent.");
    return false;
  }
  if (submitted.block) {
    hooks.tellUser("error", submitted.block.text);
    hooks.showNotices(submitted);
    hooks.tellModel(submitted.modelMessages);
    return false;
  }
  const text = submitted.modifiedPrompt ?? prompt;
  const transformed = await hooks.run(
    { name: "UserPromptTransformed", prompt: text, transformedPrompt: text },
    signal,
  );
  const forModel = transformed.modifiedTransformedPrompt ?? text;
  // History and model have the changed text, also after a restore; the timeline shows what the user wrote (C4).
  conversation.append({ ...userMessage(forModel), ...(forModel === prompt ? {} : { shownText: prompt }) });
  hooks.tellModel([...submitted.modelMessages, ...transformed.modelMessages]);
  hooks.showNotices(submitted);
  hooks.showNotices(transformed);
  return true;
}
