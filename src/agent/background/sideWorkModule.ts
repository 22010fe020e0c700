import { join } from "node:path";
import { systemClock } from "../../base/clock.ts";
import type { AgentHost, AgentModule } from "../agentModule.ts";
import { CronScheduler } from "../cron/cronScheduler.ts";
import { cronTools } from "../cron/cronTools.ts";
import { notifyHooks } from "../notificationHooks.ts";
import { AgentCatalog } from "../subagents/agentCatalog.ts";
import { agentTool } from "../subagents/agentTool.ts";
import { DefinitionFiles, describeFileProblem, type FileProblem } from "../subagents/definitionFiles.ts";
import { parseWorkflowFile } from "../workflows/workflowFile.ts";
import { WorkflowCatalog, workflowTool } from "../workflows/workflowTool.ts";
import { backgroundShells } from "./backgroundShells.ts";
import { type BackgroundTask, BackgroundTasks, isUnderWay } from "./backgroundTasks.ts";
import { taskNotification } from "./taskNotification.ts";
import { taskOutputTool, taskStopTool } from "./taskTools.ts";

/** What goes on beside the turn and shares one list of tasks: background commands, subagents, workflows, and schedules. */
export function sideWorkModule(host: AgentHost): AgentModule {
  const clock = host.options.clock ?? systemClock;
  const tasks: BackgroundTasks = new BackgroundTasks({
    clock,
    onEnd: (task) => tell(host, tasks, task),
    onChange: () => host.backgroundChanged(),
  });
  const scheduler = new CronScheduler({
    clock,
    isIdle: () => host.isIdle(),
    deliver: (job) => host.notify(host.place.sessionId, { kind: "prompt", text: job.prompt }),
    onChange: () => host.backgroundChanged(),
  });
  const report = (problem: FileProblem): void => {
    host.logger.warn(describeFileProblem(problem));
    host.conversation.addNotice("warning", describeFileProblem(problem));
  };
  const projectFolder = (name: string): string => join(host.place.projectDir, ".wave", name);
  const agents = new AgentCatalog([join(host.home, ".wave", "agents"), projectFolder("agents")], report);
  const workflows = new WorkflowCatalog(
    new DefinitionFiles([projectFolder("workflows")], ".json", parseWorkflowFile, report),
  );
  const tools = [
    agentTool({ host, catalog: agents, tasks, clock }),
    workflowTool(host, workflows, tasks),
    taskOutputTool(tasks),
    taskStopTool(tasks),
    ...cronTools(scheduler),
  ];

  return {
    tools: () => tools,
    shellTasks: backgroundShells(tasks),
    async beforeRequest() {
      await Promise.all([agents.refresh(), workflows.refresh()]);
    },
    onIdle: () => scheduler.deliverDue(),
    backgroundTasks: () => tasks.snapshot(),
    sessionCrons: () => scheduler.snapshot(),
    async stopTask(id) {
      const task = tasks.get(id);
      if (task && isUnderWay(task)) {
        // The model did not ask for this and should know.
        await tasks.stop(id, { tell: true });
        return true;
      }
      return scheduler.delete(id);
    },
    async endSession() {
      scheduler.clear();
      await tasks.stopAll();
    },
    async dispose() {
      scheduler.dispose();
      await tasks.dispose();
    },
  };
}

function tell(host: AgentHost, tasks: BackgroundTasks, task: BackgroundTask): void {
  const readTail = (maxLength: number): string => tasks.readOutput(task.id, 0, maxLength)?.text ?? "";
  const block = taskNotification(task, readTail);
  host.notify(host.place.sessionId, { kind: "task", block });
  notifyHooks(host, {
    message: block.summary,
    notificationType: block.taskType === "shell" ? "shell_completed" : "agent_completed",
  });
}
