import * as vscode from "vscode";
import type { SessionListEntry } from "../agent/session/session.ts";
import type { AgentProvider, AgentRequest, ChatAgent, ModelOptions } from "./chat/chatAgent.ts";
import { logHookRun } from "./hookRunLog.ts";
import { editorRipgrep } from "./ripgrep.ts";

export interface EditorAgentsOptions {
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  log: vscode.LogOutputChannel;
  /** Of the model that the user chose. Rejects where it cannot be had now. */
  modelOptions(): Promise<ModelOptions>;
}

/** Makes agents that work in this window. The agent's code is loaded with the first one. */
export class EditorAgents implements AgentProvider {
  constructor(private readonly options: EditorAgentsOptions) {}

  async create(request: AgentRequest): Promise<ChatAgent> {
    const { home, env, log } = this.options;
    const model = await this.options.modelOptions();
    const { Agent } = await import("../sdk.ts");
    const configuration = vscode.workspace.getConfiguration("waveHooks", vscode.Uri.file(request.workdir));
    const limit = configuration.get("maxStopContinuations", 0);
    const allowsLocalhost = configuration.get("allowLocalhostHttpHooks", false);
    const ripgrepPath = editorRipgrep(vscode.env.appRoot);
    return Agent.create({
      ...request,
      ...model,
      home,
      env,
      logger: log,
      trusted: vscode.workspace.isTrusted,
      callbacks: { ...request.callbacks, onHookRun: (record) => logHookRun(record, log) },
      ...(allowsLocalhost ? { allowLocalhostHttpHooks: true } : {}),
      ...(limit > 0 ? { maxStopContinuations: limit } : {}),
      ...(ripgrepPath === undefined ? {} : { ripgrepPath }),
    });
  }

  async listSessions(directory: string): Promise<readonly SessionListEntry[]> {
    const { home, log } = this.options;
    const { SessionStore } = await import("./chat/firstUse.ts");
    return new SessionStore({ home, logger: log }).list({ workdir: directory, limit: 200 });
  }
}
