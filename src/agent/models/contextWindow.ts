/** Where neither the user nor this table knows better. */
const defaultContextWindow = 128_000;

/** Tokens, by the beginning of the model's name (without a provider's prefix as in "openai/gpt-5"). The first match counts. */
const knownContextWindows: readonly (readonly [prefix: string, tokens: number])[] = [
  ["gpt-4.1", 1_047_576],
  ["gpt-4o", 128_000],
  ["gpt-4-turbo", 128_000],
  ["gpt-4-32k", 32_768],
  ["gpt-4", 8_192],
  ["gpt-3.5", 16_385],
  ["gpt-5", 400_000],
  ["o1", 200_000],
  ["o3", 200_000],
  ["o4", 200_000],
  ["claude-", 200_000],
  ["gemini-", 1_048_576],
  ["deepseek-", 128_000],
  ["qwen3-coder", 262_144],
  ["kimi-k2", 262_144],
  ["glm-4", 128_000],
];

export function contextWindowOf(modelId: string, configured?: number): number {
  if (configured !== undefined && Number.isFinite(configured) && configured > 0) return configured;
  const name = modelId.slice(modelId.lastIndexOf("/") + 1).toLowerCase();
  return knownContextWindows.find(([prefix]) => name.startsWith(prefix))?.[1] ?? defaultContextWindow;
}
