import * as vscode from "vscode";

/** The user's own model service, from the settings and from secret storage. */
export interface ModelService {
  provider: "openai" | "anthropic";
  baseUrl: string;
  model: string;
  apiKey?: string;
}

const secretName = (baseUrl: string): string => `waveHooks.apiKey:${baseUrl}`;

/** Reads and changes what the user set up as an own service. */
export class ServiceSettings {
  constructor(private readonly secrets: vscode.SecretStorage) {}

  /** Undefined where address or model name are missing. */
  describe(): Omit<ModelService, "apiKey"> | undefined {
    const configuration = vscode.workspace.getConfiguration("waveHooks");
    const provider = configuration.get<string>("provider") === "anthropic" ? "anthropic" : "openai";
    const baseUrl = configuration.get("baseUrl", "").trim().replace(/\/+$/, "");
    const model = configuration.get("model", "").trim();
    return baseUrl === "" || model === "" ? undefined : { provider, baseUrl, model };
  }

  async read(): Promise<ModelService | undefined> {
    const service = this.describe();
    if (!service) return undefined;
    const apiKey = await this.secrets.get(secretName(service.baseUrl));
    return apiKey === undefined ? service : { ...service, apiKey };
  }

  async write(service: Omit<ModelService, "apiKey">): Promise<void> {
    const configuration = vscode.workspace.getConfiguration("waveHooks");
    const provider = service.provider === "anthropic" ? "anthropic" : "openaiCompatible";
    await configuration.update("provider", provider, vscode.ConfigurationTarget.Global);
    await configuration.update("baseUrl", service.baseUrl, vscode.ConfigurationTarget.Global);
    await configuration.update("model", service.model, vscode.ConfigurationTarget.Global);
  }

  /** The key belongs to the address it was entered for: a workspace that sets another address does not get it. */
  async setKey(baseUrl: string, apiKey: string): Promise<void> {
    if (apiKey === "") await this.secrets.delete(secretName(baseUrl));
    else await this.secrets.store(secretName(baseUrl), apiKey);
  }

  async hasKey(baseUrl: string): Promise<boolean> {
    return (await this.secrets.get(secretName(baseUrl))) !== undefined;
  }
}
