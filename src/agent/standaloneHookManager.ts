import { resolve } from "node:path";
import { type Logger, silentLogger } from "../base/logger.ts";
import type { PermissionMode } from "../hooks/hookEvent.ts";
import { HookManager, type HookRewake } from "../hooks/hookManager.ts";
import type { HookRunRecord } from "../hooks/hookResult.ts";
import { ProcessCommandRunner } from "../process/processCommandRunner.ts";
import { HookConfigurationStore } from "../settings/hookConfigurationStore.ts";
import type { HooksOption } from "./agentOptions.ts";
import { homeFolder } from "./homeFolder.ts";
import { createHttpHookClient, environmentAllowsLoopback } from "./httpHookClient.ts";
import { SettingsReports } from "./settingsReports.ts";

export interface StandaloneHookManagerOptions {
  /** The project whose hooks are in force. Relative paths are taken from the current directory. */
  workdir: string;
  /** Hooks in the shape of the `hooks` object of a settings file; they run first. A bad entry is logged and skipped. */
  hooks?: HooksOption;
  /** Folders with a `hooks/hooks.json`. */
  plugins?: readonly { path: string }[];
  /** The environment that hooks inherit. Default: that of this process. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Where user settings are looked for. Default: `HOME` (`USERPROFILE` on Windows) of `env`, else that of this process. */
  home?: string;
  /** Values that no hook may find in its environment, such as a model key. */
  credentials?: readonly string[];
  permissionMode?: PermissionMode;
  /** Told of bad entries in settings files, of failed hooks whose report is for the log, and of dropped wake-ups. */
  logger?: Logger;
  /** Told of each finished run. */
  observer?: (record: HookRunRecord) => void;
  /** Takes the text of an asyncRewake hook that ended with exit code 2; false where its session is gone. */
  onRewake?: (rewake: HookRewake) => boolean;
}

/**
 * The hooks of a project with everything that running them takes: settings files, processes, HTTP. For programs without an agent
 * (design.md section 9); the SDK calls it `HookManager`. Call `dispose` at the end: it ends what hooks left running.
 */
export class StandaloneHookManager extends HookManager {
  private readonly configuration: HookConfigurationStore;
  private readonly runner: ProcessCommandRunner;

  constructor(options: StandaloneHookManagerOptions) {
    const env = options.env ?? process.env;
    const home = homeFolder(options.home, env);
    const logger = options.logger ?? silentLogger;
    const workdir = resolve(options.workdir);
    const configuration = new HookConfigurationStore({
      places: { home, workdir, plugins: options.plugins ?? [], env },
      codeHooks: options.hooks,
      trusted: () => true,
      onReport: new SettingsReports(logger).add,
    });
    const runner = new ProcessCommandRunner({ env, home });
    const mode = options.permissionMode ?? "default";
    super({
      workdir,
      configuration,
      runner,
      http: createHttpHookClient({ allowLoopback: () => environmentAllowsLoopback(env) }),
      env,
      credentials: () => options.credentials ?? [],
      logger,
      permissionMode: () => mode,
      ...(options.observer === undefined ? {} : { observer: options.observer }),
      ...(options.onRewake === undefined ? {} : { onRewake: options.onRewake }),
    });
    this.configuration = configuration;
    this.runner = runner;
  }

  /** Reads the settings files, so that `hasHooks` can answer before the first event; every event looks at them by itself. */
  async load(): Promise<void> {
    await this.configuration.current();
  }

  override async dispose(): Promise<void> {
    await super.dispose();
    await this.runner.dispose();
  }
}
