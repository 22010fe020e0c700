import { statSync } from "node:fs";
import path from "node:path";
import type { Logger } from "../base/logger.ts";
import { silentLogger } from "../base/logger.ts";
import type { AgentCallbacks, AgentOptions } from "./agentOptions.ts";
import { homeFolder } from "./homeFolder.ts";
import { withoutSecrets } from "./models/redactSecrets.ts";

/** The options of an agent with their defaults filled in. */
export interface AgentSetup {
  options: AgentOptions;
  workdir: string;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  callbacks: SafeCallbacks;
  trusted: boolean;
}

/** Callbacks that may be called without care: what one throws is logged and dropped. */
export type SafeCallbacks = <Name extends keyof AgentCallbacks>(
  name: Name,
  ...args: Parameters<NonNullable<AgentCallbacks[Name]>>
) => void;

/** Throws an error for people where the options cannot be followed. */
export function setUp(options: AgentOptions): AgentSetup {
  const workdir = path.resolve(options.workdir ?? process.cwd());
  if (!statSync(workdir, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`The project folder ${workdir} does not exist. Give an existing folder as workdir.`);
  }
  const env = options.env ?? process.env;
  const home = homeFolder(options.home, env);
  const logger = options.logger ?? silentLogger;
  return {
    options,
    workdir,
    home: path.resolve(home),
    env,
    callbacks: (name, ...args) => {
      const callback = options.callbacks?.[name] as ((...args: unknown[]) => void) | undefined;
      try {
        callback?.apply(options.callbacks, args);
      } catch (error) {
        logger.error(`The callback ${name} failed.`, error);
      }
    },
    trusted: options.trusted ?? true,
  };
}

/** The user's logger, kept from seeing keys. */
export function loggerWithoutSecrets(logger: Logger, secrets: () => readonly string[]): Logger {
  const clean = (value: unknown): unknown => {
    if (typeof value === "string") return withoutSecrets(value, secrets());
    if (!(value instanceof Error)) return value;
    const text = withoutSecrets(value.stack ?? value.message, secrets());
    return text === (value.stack ?? value.message) ? value : text;
  };
  const at =
    (level: keyof Logger) =>
    (message: string, ...details: unknown[]): void => {
      logger[level](withoutSecrets(message, secrets()), ...details.map(clean));
    };
  return { trace: at("trace"), debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
