import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ContextMeter } from "../src/agent/compaction/contextMeter.ts";
import { convertMessagesForAPI } from "../src/agent/messages/convertMessagesForAPI.ts";
import { assistantMessage, type Message, userMessage } from "../src/agent/messages/message.ts";
import type { SessionFile } from "../src/agent/session/session.ts";
import { SessionStore } from "../src/agent/session/sessionStore.ts";
import type { Report } from "./report.ts";

const saves = 400;

function conversation(length: number): Message[] {
  return Array.from({ length }, (_, index) =>
    index % 2 === 0
      ? userMessage(`question ${index} ${"word ".repeat(40)}`)
      : assistantMessage([
          { type: "text", content: `answer ${index} ${"word ".repeat(60)}` },
          {
            type: "tool",
            id: `call_${index}`,
            name: "Bash",
            parameters: { command: "ls -la" },
            result: "line\n".repeat(40),
            success: true,
            stage: "end",
          },
        ]),
  );
}

async function oneMoreSave(file: SessionFile, messages: Message[]): Promise<number> {
  messages.push(userMessage("one more message"));
  const started = performance.now();
  await file.save(messages, undefined, messages.length - 1);
  return performance.now() - started;
}

function median(times: number[]): number {
  times.sort((a, b) => a - b);
  return times[times.length >> 1] ?? 0;
}

/** Cost of a save after one more message, and of a turn's own work on a long conversation. */
export async function bench(report: Report): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), "wave-bench-"));
  try {
    const store = new SessionStore({ home });
    const short = {
      file: store.create("short", { workdir: home, createdAt: 0 }),
      messages: conversation(10),
    };
    const long = {
      file: store.create("long", { workdir: home, createdAt: 0 }),
      messages: conversation(10_000),
    };
    await short.file.save(short.messages);
    await long.file.save(long.messages);
    const shortTimes: number[] = [];
    const longTimes: number[] = [];
    // Taken in turns: whatever else the machine does meets both.
    for (let save = 0; save < saves; save++) {
      shortTimes.push(await oneMoreSave(short.file, short.messages));
      longTimes.push(await oneMoreSave(long.file, long.messages));
    }
    report("save after one more message, from 10 messages on", median(shortTimes), "ms");
    report("save after one more message, from 10,000 messages on", median(longTimes), "ms");
    report("save, 10,000 messages against 10 (at most 1.5)", median(longTimes) / median(shortTimes), "x");
    await Promise.all([short.file.close(), long.file.close()]);

    const opening: number[] = [];
    const listing: number[] = [];
    for (let run = 0; run < 5; run++) {
      const started = performance.now();
      const { file } = await store.open("long");
      opening.push(performance.now() - started);
      await file.close();
      const listed = performance.now();
      await store.list();
      listing.push(performance.now() - listed);
    }
    report("opening a session of 10,000 messages", median(opening), "ms");
    report("listing two sessions", median(listing), "ms");
  } finally {
    await rm(home, { recursive: true, force: true });
  }

  const messages = conversation(10_000);
  const meter = new ContextMeter();
  convertMessagesForAPI(messages);
  meter.note(messages, { input: 1000, output: 10 });
  const times: number[] = [];
  for (let turn = 0; turn < 50; turn++) {
    messages.push(userMessage("one more"));
    const started = performance.now();
    meter.tokens(messages);
    convertMessagesForAPI(messages);
    times.push(performance.now() - started);
  }
  report("request from 10,000 messages (at most 5)", median(times), "ms");
}
