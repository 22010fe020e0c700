/**
 * Where the project writes what happened. Contract: no method may throw.
 * `trace` alone may carry payload values (prompts, tool inputs); every other level names things without their contents.
 */
export interface Logger {
  trace(message: string, ...details: unknown[]): void;
  debug(message: string, ...details: unknown[]): void;
  info(message: string, ...details: unknown[]): void;
  warn(message: string, ...details: unknown[]): void;
  error(message: string, ...details: unknown[]): void;
}

const nothing = (): void => {};

/** Drops everything; the default where a caller gives no logger. */
export const silentLogger: Logger = {
  trace: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
};
