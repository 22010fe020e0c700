import type { Logger } from "../../src/base/logger.ts";

/** Keeps what was logged, by level. */
export class RecordingLogger implements Logger {
  readonly lines: { level: keyof Logger; message: string }[] = [];

  trace(message: string): void {
    this.lines.push({ level: "trace", message });
  }
  debug(message: string): void {
    this.lines.push({ level: "debug", message });
  }
  info(message: string): void {
    this.lines.push({ level: "info", message });
  }
  warn(message: string): void {
    this.lines.push({ level: "warn", message });
  }
  error(message: string): void {
    this.lines.push({ level: "error", message });
  }

  at(level: keyof Logger): string[] {
    return this.lines.filter((line) => line.level === level).map((line) => line.message);
  }
}
