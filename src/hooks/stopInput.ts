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

const longestText = 1000;

/** Cuts a long text at 1000 characters, without splitting one, and says how many are missing (H21.9). */
function cutStopText(text: string): string {
  if (text.length <= longestText) return text;
  const characters = [...text];
  if (characters.length <= longestText) return text;
  return `${characters.slice(0, longestText).join("")}… [+${characters.length - longestText} chars]`;
}

/** `background_tasks` and `session_crons` of a Stop hook's input: always present, finished tasks are the caller's to leave out. */
export function stopInputFields(event: {
  backgroundTasks: readonly BackgroundTaskSummary[];
  sessionCrons: readonly CronSummary[];
}): Record<string, unknown> {
  return {
    background_tasks: event.backgroundTasks.map((task) => ({
      id: task.id,
      type: task.type,
      status: task.status,
      ...(task.description === undefined ? {} : { description: cutStopText(task.description) }),
      ...(task.command === undefined ? {} : { command: cutStopText(task.command) }),
      ...(task.agentType === undefined ? {} : { agent_type: task.agentType }),
      ...(task.name === undefined ? {} : { name: task.name }),
    })),
    session_crons: event.sessionCrons.map(({ id, schedule, recurring, prompt }) => ({
      id,
      schedule,
      recurring,
      prompt,
    })),
  };
}
