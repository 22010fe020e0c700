import type { HookAction, HookProvenance } from "./hookDefinition.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Names under which the agent itself takes its model key; kept from hooks whatever they hold. */
const credentialNames = new Set(["WAVE_API_KEY"]);
/** Hooks written for Claude Code find the project and their plugin under the names that they know. */
const projectVariables = ["WAVE_PROJECT_DIR", "CLAUDE_PROJECT_DIR"] as const;
const pluginVariables = ["WAVE_PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT"] as const;

export interface HookEnvironment {
  variables: Record<string, string>;
  /** To be set to the directory in which the process starts: where there is no session root (H17.4). */
  startDirectoryVariables: readonly string[];
}

/** A value this short may stand in another one by chance. */
const shortestPart = 12;

/**
 * The environment without the agent's own model credentials, by name and by value (E4): also where the value is only a
 * part, as in an address.
 */
export function withoutCredentials(env: Environment, credentials: readonly string[]): Record<string, string> {
  const secrets = credentials.filter((value) => value !== "");
  const holdsSecret = (value: string): boolean =>
    secrets.some((secret) => value === secret || (secret.length >= shortestPart && value.includes(secret)));
  const kept: Record<string, string> = {};
  for (const name of Object.keys(env)) {
    const value = env[name];
    if (value === undefined || holdsSecret(value) || credentialNames.has(name.toUpperCase())) continue;
    kept[name] = value;
  }
  return kept;
}

/** @param base Already without credentials; not changed. */
export function hookEnvironment(
  base: Readonly<Record<string, string>>,
  action: HookAction,
  provenance: HookProvenance,
  projectDir: string | undefined,
): HookEnvironment {
  const variables: Record<string, string> = { ...base };
  // What the host itself inherited of these belongs to another session.
  for (const name of [...projectVariables, ...pluginVariables]) delete variables[name];
  if (action.type === "command") {
    for (const [name, value] of Object.entries(action.env ?? {}))
      variables[name] = expandVariables(value, base);
  }
  if (projectDir !== undefined) for (const name of projectVariables) variables[name] = projectDir;
  if (provenance.pluginRoot !== undefined) {
    for (const name of pluginVariables) variables[name] = provenance.pluginRoot;
  }
  return { variables, startDirectoryVariables: projectDir === undefined ? projectVariables : [] };
}

/** Puts the values of `$NAME` and `${NAME}` in; a name without a value becomes nothing, as in a shell. */
export function expandVariables(
  text: string,
  variables: Readonly<Record<string, string | undefined>>,
): string {
  return text.replace(
    /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g,
    (_whole, braced?: string, bare?: string) => variables[braced ?? bare ?? ""] ?? "",
  );
}

/** A path of these alone means the same to every shell, quoted or not. */
const safeInShell = /^[A-Za-z0-9_@%+=:,./-]+$/;

/**
 * Puts the plugin's folder in place of `${WAVE_PLUGIN_ROOT}` and `${CLAUDE_PLUGIN_ROOT}`, where the path is safe as shell
 * text; elsewhere the text stays, and the shell takes the path from the variable of that name.
 */
export function substitutePluginRoot(command: string, pluginRoot: string | undefined): string {
  if (pluginRoot === undefined || !safeInShell.test(pluginRoot)) return command;
  return command.replace(/\$\{(?:WAVE|CLAUDE)_PLUGIN_ROOT\}/g, () => pluginRoot);
}
