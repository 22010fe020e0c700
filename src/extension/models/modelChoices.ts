import * as vscode from "vscode";
import type { ModelChoiceView } from "../../protocol/chatView.ts";
import type { ServiceSettings } from "./serviceSettings.ts";

const chosenKey = "model.chosen";
export const vscodePrefix = "vscode:";
export const composerId = "composer";
export const serviceId = "service";

/** The models between which the user may choose, and the choice: one for all workspaces. */
export class ModelChoices implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly listening: vscode.Disposable;
  private vscodeModels: readonly vscode.LanguageModelChat[] = [];
  private reading: Promise<void> | undefined;
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly memento: vscode.Memento,
    private readonly service: ServiceSettings,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.listening = vscode.Disposable.from(
      vscode.lm.onDidChangeChatModels(() => {
        if (this.reading !== undefined) this.reading = this.readVscodeModels();
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("waveHooks")) this.changed.fire();
      }),
    );
  }

  /** The user's choice, where it can still be had as far as is known now. */
  get chosenId(): string | undefined {
    const id = this.memento.get<string>(chosenKey);
    if (id === serviceId && !this.service.describe()) return undefined;
    return id;
  }

  get views(): readonly ModelChoiceView[] {
    const service = this.service.describe();
    return [
      ...this.vscodeModels.map((model) => ({
        id: vscodeId(model),
        label: model.name,
        detail: model.vendor,
        kind: "vscode" as const,
      })),
      ...(service
        ? [{ id: serviceId, label: service.model, detail: service.baseUrl, kind: "service" as const }]
        : []),
      { id: composerId, label: vscode.l10n.t("Built-in composer"), kind: "composer" },
    ];
  }

  /** Looks for VS Code's models; `onDidChange` tells when there are others than before. */
  async discover(): Promise<void> {
    this.reading ??= this.readVscodeModels();
    await this.reading;
  }

  /** False where there is no such model. */
  async choose(id: string): Promise<boolean> {
    if (!this.views.some((view) => view.id === id)) return false;
    const saved = this.memento.update(chosenKey, id);
    // At once: what the user sends next is for this model.
    this.changed.fire();
    await saved;
    return true;
  }

  /** The VS Code model of that id; asks VS Code anew where it is not known, since its models come late after a start. */
  async vscodeModel(id: string): Promise<vscode.LanguageModelChat | undefined> {
    const find = () => this.vscodeModels.find((model) => vscodeId(model) === id);
    await this.discover();
    if (find()) return find();
    await this.readVscodeModels();
    return find();
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  private async readVscodeModels(): Promise<void> {
    try {
      const models = await vscode.lm.selectChatModels();
      const ids = (list: readonly vscode.LanguageModelChat[]) => list.map(vscodeId).join("\n");
      const isSame = ids(models) === ids(this.vscodeModels);
      this.vscodeModels = models;
      if (!isSame) this.changed.fire();
    } catch (error) {
      this.log.warn("VS Code's language models could not be listed.", error);
    }
  }
}

function vscodeId(model: vscode.LanguageModelChat): string {
  return `${vscodePrefix}${model.vendor}/${model.id}`;
}
