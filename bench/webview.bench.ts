import type { CDPSession } from "playwright-core";
import { chatMessage, chatState } from "../test/support/webview/chatSamples.ts";
import { hookSnapshot, hookView } from "../test/support/webview/hookSamples.ts";
import type { PageName } from "../test/support/webview/pageServer.ts";
import { WebviewLab } from "../test/support/webview/webviewLab.ts";
import type { Report } from "./report.ts";

const runs = 3;

/** How soon the pages are usable, and whether a streamed answer keeps the chat fluid. */
export async function bench(report: Report): Promise<void> {
  const lab = await WebviewLab.start();
  try {
    for (const count of [10, 1000, 10_000]) {
      const hooks = Array.from({ length: count }, (_, index) => hookView({ command: `run ${index}` }));
      const answer = { type: "snapshot", tab: "user", snapshot: hookSnapshot(hooks) };
      const time = await usableAfter(lab, "settings", answer, "[aria-posinset]");
      report(`settings page: bundle running to list usable, ${count} hooks`, time, "ms");
    }
    for (const count of [0, 1000, 5000]) {
      const answer = { type: "all", seq: 1, state: chatState(), messages: conversation(count), draft: "" };
      const time = await usableAfter(lab, "chat", answer, "textarea");
      report(`chat: bundle running to composer painted, ${count} messages`, time, "ms");
    }
    for (const count of [0, 1000]) {
      const { longTasks, longest, frames, ownTime } = await stream(lab, count);
      report(`chat: share of the main thread at 200 tokens/s, ${count} messages`, (ownTime / 5) * 100, "%");
      report(`chat: long tasks in 5 s at 200 tokens/s, ${count} messages`, longTasks, "");
      report(`chat: the longest of them`, longest, "ms");
      report(`chat: frames per second meanwhile`, frames / 5, "");
    }
  } finally {
    await lab.stop();
  }
}

function conversation(count: number) {
  return Array.from({ length: count }, (_, index) =>
    chatMessage(
      index % 2 ? "assistant" : "user",
      `Message ${index}\n\n- a **list**\n- of \`two\`\n\n${"words ".repeat(40)}`,
    ),
  );
}

/** Milliseconds from the end of the bundle's loading to the frame after the element is there; the host answers at once. */
async function usableAfter(lab: WebviewLab, page: PageName, answer: object, selector: string) {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const view = await lab.open(page, { width: 600, answerToReady: answer, watchFor: selector });
    const drawn = await view.firstDrawn();
    const loaded = await view.page.evaluate<number>(
      `performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/${page}.js")).responseEnd`,
    );
    times.push(drawn - loaded);
    await view.page.context().close();
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(runs / 2)] ?? 0;
}

/** Streams an answer into a session of that many messages for five seconds: one token each 5 ms. */
async function stream(lab: WebviewLab, count: number) {
  const answer = { type: "all", seq: 1, state: chatState(), messages: conversation(count), draft: "" };
  const view = await lab.open("chat", { width: 420, answerToReady: answer });
  await view.page.locator("textarea").waitFor();
  const session = await view.page.context().newCDPSession(view.page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const before = await mainThreadTime(session);
  const result = await view.page.evaluate<{
    longTasks: number;
    longest: number;
    frames: number;
  }>(`new Promise((done) => {
    const tokens = "Here is **some** text with \`code\` in it, and a list:\\n\\n- one\\n- two\\n\\n\`\`\`ts\\nconst a = 1;\\n\`\`\`\\n\\n".split(/(?<= )/);
    const tasks = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: "longtask" });
    let text = "", sent = 0, frames = 0;
    const started = performance.now();
    const frame = () => { frames++; requestAnimationFrame(frame); };
    requestAnimationFrame(frame);
    const timer = setInterval(() => {
      const due = Math.min(1000, Math.floor((performance.now() - started) / 5));
      while (sent < due) {
        text += tokens[sent++ % tokens.length];
        const message = { id: "streamed", role: "assistant", timestamp: 0, blocks: [{ type: "text", content: text }] };
        const data = structuredClone({ type: "messages", seq: 1 + sent, from: ${count}, messages: [message] });
        window.dispatchEvent(new MessageEvent("message", { data }));
      }
      if (sent < 1000) return;
      clearInterval(timer);
      const durations = tasks.map(({ duration }) => duration);
      done({ longTasks: durations.length, longest: Math.max(0, ...durations), frames });
    }, 5);
  })`);
  const ownTime = (await mainThreadTime(session)) - before;
  await view.page.context().close();
  return { ...result, ownTime };
}

/** Seconds of processor time that the page's main thread has used: unlike the clock, it leaves out what else the machine does. */
async function mainThreadTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
}
