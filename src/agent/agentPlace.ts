import type { HookSession, PermissionMode } from "../hooks/hookEvent.ts";
import type { SessionPlace } from "./tools/tool.ts";

export interface AgentPlaceOptions {
  sessionId: string;
  projectDir: string;
  cwd: string;
  /** Of the main conversation: hooks are told this one, in subagents too. */
  transcriptPath(): string;
  permissionMode(): PermissionMode;
  turnId(): string | undefined;
  agent?: { id: string; type: string };
  onCwdChange?(): void;
}

/** Where the main conversation or a subagent stands. */
export class AgentPlace implements SessionPlace {
  sessionId: string;
  readonly projectDir: string;
  private directory: string;
  private readonly extraRoots = new Set<string>();

  constructor(private readonly options: AgentPlaceOptions) {
    this.sessionId = options.sessionId;
    this.projectDir = options.projectDir;
    this.directory = options.cwd;
  }

  get cwd(): string {
    return this.directory;
  }

  get roots(): readonly string[] {
    return [this.projectDir, ...this.extraRoots];
  }

  hookSession(): HookSession {
    const { transcriptPath, permissionMode, turnId, agent } = this.options;
    const turn = turnId();
    return {
      sessionId: this.sessionId,
      transcriptPath: transcriptPath(),
      cwd: this.directory,
      projectDir: this.projectDir,
      permissionMode: permissionMode(),
      ...(turn === undefined ? {} : { turnId: turn }),
      ...(agent === undefined ? {} : { agentId: agent.id, agentType: agent.type }),
    };
  }

  setCwd(directory: string): void {
    this.directory = directory;
    this.options.onCwdChange?.();
  }

  addRoot(directory: string): void {
    this.extraRoots.add(directory);
  }

  removeRoot(directory: string): void {
    this.extraRoots.delete(directory);
  }

  /** Another session takes over. */
  moveTo(sessionId: string, cwd: string): void {
    this.sessionId = sessionId;
    this.extraRoots.clear();
    this.directory = cwd;
  }
}
