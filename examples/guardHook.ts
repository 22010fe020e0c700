// An agent with a guard: no command of the model may push, whatever the model says.
//   WAVE_BASE_URL=... WAVE_MODEL=... WAVE_API_KEY=... node guardHook.js <project folder> "<prompt>"
import { Agent } from "wave-hooks/sdk";

const [workdir = ".", prompt = "Commit what is there and push it."] = process.argv.slice(2);

const agent = await Agent.create({
  workdir,
  permissionMode: "bypassPermissions",
  hooks: {
    PreToolUse: [
      {
        matcher: "Bash",
        hooks: [
          {
            type: "command",
            command: `grep -q 'git push' && { echo 'Pushing is for people. Commit only.' >&2; exit 2; } || true`,
          },
        ],
      },
    ],
  },
});

await agent.sendMessage(prompt);

for (const message of agent.messages) {
  for (const block of message.blocks) {
    if (block.type === "tool") console.log(`${block.name}: ${block.success ? "ran" : block.error}`);
    if (block.type === "text" && message.role === "assistant") console.log(`Wave: ${block.content}`);
    if (block.type === "notice") console.log(`[${block.level}] ${block.content}`);
  }
}
await agent.destroy();
