/** Saves without end and says on stdout how many messages are saved: killed by sessionCrash.test.ts. */
import { assistantMessage, type Message } from "../../src/agent/messages/message.ts";
import { SessionStore } from "../../src/agent/session/sessionStore.ts";

async function saveForever(home: string): Promise<void> {
  const file = new SessionStore({ home }).create("one", { workdir: home, createdAt: Date.now() });
  const messages: Message[] = [];
  for (let step = 0; ; step++) {
    const before = messages.at(-1);
    if (before)
      messages[step - 1] = { ...before, blocks: [{ type: "text", content: content(step - 1, 9000) }] };
    messages.push(assistantMessage([{ type: "text", content: content(step, 4000) }]));
    await file.save(messages);
    process.stdout.write(`${messages.length}\n`);
  }
}

function content(index: number, length: number): string {
  return `message ${index} ${"x".repeat(length + (index % 7) * 1000)} end`;
}

void saveForever(process.argv[2] ?? "");
