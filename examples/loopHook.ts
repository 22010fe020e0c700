// An agent that goes on until the checks of the project pass, three rounds at most, and says in each where it stands.
//   WAVE_BASE_URL=... WAVE_MODEL=... WAVE_API_KEY=... node loopHook.js <project folder> "<prompt>"
import { Agent } from "wave-hooks/sdk";

const [workdir = ".", prompt = "Make ./check.sh succeed."] = process.argv.slice(2);

/** Exit code 2 sends stderr to the model and continues the turn; systemMessage is for the person alone. */
const checkAgain = `
if output=$(sh ./check.sh 2>&1); then
  echo '{"systemMessage": "The checks pass."}'
else
  echo '{"systemMessage": "The checks fail: another round. To stop, interrupt the turn."}'
  echo "The checks fail: $output" >&2
  exit 2
fi`;

const agent = await Agent.create({
  workdir,
  permissionMode: "bypassPermissions",
  maxStopContinuations: 3,
  hooks: { Stop: [{ hooks: [{ type: "command", command: checkAgain, timeout: 300 }] }] },
});

await agent.sendMessage(prompt);

for (const message of agent.messages) {
  if (message.isMeta) continue;
  for (const block of message.blocks) {
    if (block.type === "text") console.log(`${message.role}: ${block.content}`);
    if (block.type === "notice") console.log(`[${block.level}] ${block.content}`);
  }
}
await agent.destroy();
