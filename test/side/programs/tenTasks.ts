// An agent that starts what it is told to and then waits. Started and killed by a test.
import { Agent } from "../../../src/agent/agent.ts";

const [workdir = "", home = "", baseURL = ""] = process.argv.slice(2);
const agent = await Agent.create({
  workdir,
  home,
  baseURL,
  model: "test-model",
  apiKey: "sk-test",
  permissionMode: "bypassPermissions",
});
await agent.sendMessage("Go");
console.log(`running ${agent.backgroundTasks.length}`);
setInterval(() => {}, 60_000);
