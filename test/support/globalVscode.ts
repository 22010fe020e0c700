/** Vitest global setup, replaced below. */
export function setup(): void {}
