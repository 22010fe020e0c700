import * as vscode from "vscode";
import type { ComposerOptions } from "../../agent/composer/composerModel.ts";
import type { ModelOptions } from "../chat/chatAgent.ts";
import { composerId, type ModelChoices, serviceId, vscodePrefix } from "./modelChoices.ts";
import type { ServiceSettings } from "./serviceSettings.ts";

/** The chosen model in the terms of the agent. Rejects with an error for people where it cannot be had now. */
export async function modelOptions(
  choices: ModelChoices,
  service: ServiceSettings,
  composer: ComposerOptions,
): Promise<ModelOptions> {
  const id = choices.chosenId;
  if (id === composerId) {
    const { createComposerModel } = await import("../chat/firstUse.ts");
    return { languageModel: createComposerModel(composer) };
  }
  if (id === serviceId) {
    const found = await service.read();
    if (found) {
      const { provider, baseUrl, model, apiKey } = found;
      return { provider, baseURL: baseUrl, model, ...(apiKey === undefined ? {} : { apiKey }) };
    }
  }
  const chat = id?.startsWith(vscodePrefix) ? await choices.vscodeModel(id) : undefined;
  if (chat) {
    const { vscodeLanguageModel } = await import("../chat/firstUse.ts");
    const justification = vscode.l10n.t("To answer what you write in the Wave Hooks chat.");
    return {
      languageModel: vscodeLanguageModel(chat, vscode, justification),
      contextWindow: chat.maxInputTokens,
    };
  }
  throw new Error(vscode.l10n.t("The chosen model is not there now. Choose another one."));
}
