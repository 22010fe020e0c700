/** One element of `background_tasks` in a Stop hook's input (H21.2 to H21.4). */
export interface BackgroundTaskSummary {
  id: string;
  type: "shell" | "subagent" | "workflow";
  status: "running" | "pending";
  description?: string;
  command?: string;
  agentType?: string;
  name?: string;
}

/** One element of `session_crons` in a Stop hook's input (H21.5). */
export interface CronSummary {
  id: string;
  /** Five-field cron expression. */
  schedule: string;
  recurring: boolean;
  prompt: string;
}
