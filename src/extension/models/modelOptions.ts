import * as vscode from "vscode";
import type { ComposerOptions } from "../../agent/composer/composerModel.ts";
import type { ModelOptions } from "../chat/chatAgent.ts";
import { composerId, type ModelChoices, serviceId, vscodePrefix } from "./modelChoices.ts";
import type { ServiceSettings } from "./serviceSettings.ts";

/** Until the model itself can be asked. */
const assumedInputTokens = 64_000;

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
  if (id?.startsWith(vscodePrefix)) return vscodeOptions(id, choices);
  throw new Error(notThere());
}

/** VS Code's models come some time after a start: the one that was chosen is looked for again with each request. */
async function vscodeOptions(id: string, choices: ModelChoices): Promise<ModelOptions> {
  const { vscodeLanguageModel } = await import("../chat/firstUse.ts");
  const now = await choices.vscodeModel(id);
  const [vendor = "", name = id] = id.slice(vscodePrefix.length).split(/\/(.*)/s);
  const chat: Parameters<typeof vscodeLanguageModel>[0] = now ?? {
    id: name,
    name,
    vendor,
    maxInputTokens: assumedInputTokens,
    sendRequest: async (...request) => {
      const found = await choices.vscodeModel(id);
      if (!found) throw new Error(notThere());
      return found.sendRequest(...request);
    },
  };
  const justification = vscode.l10n.t("To answer what you write in the Wave Hooks chat.");
  return {
    languageModel: vscodeLanguageModel(chat, vscode, justification),
    contextWindow: chat.maxInputTokens,
  };
}

function notThere(): string {
  return vscode.l10n.t("The chosen model is not there now. Choose another one.");
}
