// An agent with an MCP server, and a Stop hook that does not let it end while work runs in the background.
//   WAVE_BASE_URL=... WAVE_MODEL=... WAVE_API_KEY=... node waitForBackground.js <project folder> <MCP server program> "<prompt>"
import { Agent } from "wave-hooks/sdk";

const [workdir = ".", server = "", prompt = "Build the project and tell me when it is done."] =
  process.argv.slice(2);

/** `background_tasks` is there in every Stop input; an empty list means that nothing runs any more. */
const waitForWork = `
if grep -q '"background_tasks":\\[{'; then
  echo "Work still runs in the background. Wait for it with TaskOutput, then report." >&2
  exit 2
fi`;

const agent = await Agent.create({
  workdir,
  permissionMode: "bypassPermissions",
  maxStopContinuations: 20,
  // The server's tools are called mcp__demo__<tool>; hooks match on those names.
  mcpServers: { demo: { command: process.execPath, args: [server] } },
  hooks: {
    Stop: [{ hooks: [{ type: "command", command: waitForWork }] }],
    PostToolUse: [
      { matcher: "mcp__demo__.*", hooks: [{ type: "command", command: "cat >> mcp-calls.jsonl" }] },
    ],
  },
});

await agent.sendMessage(prompt);

for (const message of agent.messages) {
  for (const block of message.blocks) {
    if (block.type === "tool") console.log(`${block.name}: ${block.success ? "done" : "failed"}`);
    if (block.type === "text") console.log(`${message.isMeta ? "hook" : message.role}: ${block.content}`);
    if (block.type === "task_notification") console.log(`[${block.summary}]`);
  }
}
await agent.destroy();
