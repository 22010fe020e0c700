import * as vscode from "vscode";
import type { ModelChoiceView } from "../../protocol/chatView.ts";
import { composerId, type ModelChoices, serviceId } from "./modelChoices.ts";
import type { ModelService, ServiceSettings } from "./serviceSettings.ts";

/** The questions through which a model is chosen or an own service is set up; each may be left by Esc. */
export class ModelSetup {
  constructor(
    private readonly choices: ModelChoices,
    private readonly service: ServiceSettings,
  ) {}

  /** The command "Select Model". */
  async selectModel(): Promise<void> {
    await this.choices.discover();
    const chosen = this.choices.chosenId;
    const items: (vscode.QuickPickItem & { choose: () => Promise<unknown> })[] = this.choices.views.map(
      (view) => ({
        label: view.label,
        description: [view.detail, view.id === chosen ? vscode.l10n.t("current") : ""]
          .filter(Boolean)
          .join(" · "),
        choose: () => this.choices.choose(view.id),
      }),
    );
    items.push({
      label: vscode.l10n.t("Set up your own service…"),
      choose: () => this.setUpService(),
    });
    const picked = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t("Select the model that answers"),
      matchOnDescription: true,
    });
    await picked?.choose();
  }

  /** First run: the user picked a kind of model. */
  async setUp(kind: ModelChoiceView["kind"]): Promise<void> {
    if (kind === "composer") await this.choices.choose(composerId);
    else if (kind === "service") await this.pickService();
    else await this.pickVscodeModel();
  }

  /** The command "Set API Key". */
  async setApiKey(): Promise<void> {
    const service = this.service.describe();
    if (service) await this.askForKey(service);
    else await this.setUpService();
  }

  private async pickVscodeModel(): Promise<void> {
    await this.choices.discover();
    const models = this.choices.views.filter((view) => view.kind === "vscode");
    const [first] = models;
    if (!first) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t(
          "VS Code has no language model yet. Install an extension that brings one, such as GitHub Copilot, and sign in; or choose another kind of model.",
        ),
      );
      return;
    }
    if (models.length === 1) {
      await this.choices.choose(first.id);
      return;
    }
    const picked = await vscode.window.showQuickPick(
      models.map((view) => ({ label: view.label, description: view.detail ?? "", id: view.id })),
      { title: vscode.l10n.t("Select the model that answers") },
    );
    if (picked) await this.choices.choose(picked.id);
  }

  private async pickService(): Promise<void> {
    if (this.service.describe()) await this.choices.choose(serviceId);
    else await this.setUpService();
  }

  private async setUpService(): Promise<void> {
    const before = this.service.describe();
    const provider = await this.askForProvider();
    if (!provider) return;
    const baseUrl = await vscode.window.showInputBox({
      title: vscode.l10n.t("Base URL of the service"),
      value: before?.baseUrl ?? "",
      placeHolder: provider === "anthropic" ? "https://api.anthropic.com/v1" : "https://api.example.com/v1",
      ignoreFocusOut: true,
      validateInput: (value) => addressProblem(value.trim()),
    });
    if (baseUrl === undefined) return;
    const model = await vscode.window.showInputBox({
      title: vscode.l10n.t("Name of the model, as the service calls it"),
      value: before?.model ?? "",
      ignoreFocusOut: true,
      validateInput: (value) => (value.trim() === "" ? vscode.l10n.t("Enter a name.") : undefined),
    });
    if (model === undefined) return;
    const service = { provider, baseUrl: baseUrl.trim().replace(/\/+$/, ""), model: model.trim() };
    if (!(await this.askForKey(service))) return;
    await this.service.write(service);
    await this.choices.choose(serviceId);
  }

  private async askForProvider(): Promise<ModelService["provider"] | undefined> {
    const picked = await vscode.window.showQuickPick(
      [
        {
          label: vscode.l10n.t("OpenAI-compatible"),
          detail: vscode.l10n.t("Any service with chat completions, also one on this computer."),
          provider: "openai" as const,
        },
        { label: "Anthropic", detail: vscode.l10n.t("The Messages API."), provider: "anthropic" as const },
      ],
      { title: vscode.l10n.t("Kind of service"), ignoreFocusOut: true },
    );
    return picked?.provider;
  }

  /** False where the user left the question. An empty answer removes the key. */
  private async askForKey({ baseUrl }: Pick<ModelService, "baseUrl">): Promise<boolean> {
    const hasKey = await this.service.hasKey(baseUrl);
    const key = await vscode.window.showInputBox({
      title: vscode.l10n.t("API key for {0}", baseUrl),
      prompt: hasKey
        ? vscode.l10n.t("A key is stored. Enter a new one, or leave the box empty to remove it.")
        : vscode.l10n.t(
            "It is kept in VS Code's secret storage. Leave the box empty where the service needs none.",
          ),
      password: true,
      ignoreFocusOut: true,
    });
    if (key === undefined) return false;
    await this.service.setKey(baseUrl, key.trim());
    return true;
  }
}

function addressProblem(value: string): string | undefined {
  const isAddress = URL.canParse(value) && ["http:", "https:"].includes(new URL(value).protocol);
  return isAddress ? undefined : vscode.l10n.t("Enter an address that begins with http:// or https://.");
}
