// Runs the hooks of a project without an agent and without VS Code: those of its settings files, and one that is given here.
//   node hookManager.js <project folder>
import { HookManager } from "wave-hooks/sdk";

const manager = new HookManager({
  workdir: process.argv[2] ?? ".",
  hooks: {
    PreToolUse: [
      {
        matcher: "Bash",
        hooks: [
          {
            type: "command",
            command: `grep -q 'rm -rf' && { echo 'Ask before you delete.' >&2; exit 2; } || true`,
          },
        ],
      },
    ],
  },
  observer: (run) => console.log(`${run.event}: ${run.command} -> ${run.outcome}`),
});

await manager.load();
console.log(`Are there Stop hooks? ${manager.hasHooks("Stop")}`);

// A fresh session. What its hooks want the model to know comes back as data; nothing is printed or sent for you.
const start = await manager.executeSessionStartHooks("startup", "session-1", "/tmp/session-1.json");
for (const text of start.modelMessages) console.log(`For the model: ${text}`);

// Before your program runs a tool:
const result = await manager.fire(
  { name: "PreToolUse", toolName: "Bash", toolInput: { command: "rm -rf build" }, toolUseId: "call-1" },
  {
    sessionId: "session-1",
    transcriptPath: "/tmp/session-1.json",
    cwd: process.argv[2] ?? ".",
    permissionMode: "default",
  },
);
console.log(result.block ? `Blocked: ${result.block.text}` : "Allowed.");
for (const notice of result.notices) console.log(`For the user: ${notice.text}`);

await manager.executeSessionEndHooks("other", "session-1", "/tmp/session-1.json");
await manager.dispose();
