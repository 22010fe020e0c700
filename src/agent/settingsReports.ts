import type { Logger } from "../base/logger.ts";
import type { SettingsFileReport } from "../settings/hookConfigurationStore.ts";
import { describeProblem } from "../settings/settingsProblem.ts";

/** Says what is wrong in settings files: all of it in the log, what costs hooks or rules also to the user. */
export class SettingsReports {
  private untold: string[] = [];

  constructor(private readonly logger: Logger) {}

  readonly add = (report: SettingsFileReport): void => {
    const file = report.file ?? "The hooks given in code";
    if (report.problems.length === 0) {
      this.logger.info(`${file} is in order again.`);
      return;
    }
    for (const problem of report.problems) {
      const { reason, advice } = describeProblem(problem);
      const kept = report.keptLastGood ? " What it held before stays in force." : "";
      const text = `${file}:${problem.line}:${problem.column}: ${reason} ${advice}${kept}`;
      this.logger.warn(text);
      if (problem.severity === "error") this.untold.push(text);
    }
  };

  /** What the user has not been told yet. */
  take(): string[] {
    const untold = this.untold;
    this.untold = [];
    return untold;
  }
}
