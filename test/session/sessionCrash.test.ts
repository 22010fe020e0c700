import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { describe, expect, it, onTestFinished } from "vitest";
import { assistantMessage, type Message, textOf, userMessage } from "../../src/agent/messages/message.ts";
import { SessionSaveError } from "../../src/agent/session/session.ts";
import { type OpenFile, openOnDisk } from "../../src/agent/session/sessionDisk.ts";
import { SessionStore } from "../../src/agent/session/sessionStore.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { canMountTmpfs, mountTmpfs, resizeTmpfs } from "../support/tmpfs.ts";

const metadata = { workdir: "/project", createdAt: 1 };
const text = (id: string, content: string): Message => ({
  ...assistantMessage([{ type: "text", content }]),
  id,
});

/** Bytes from one moment of death to the next: prime, so that none of the layout's borders is always missed. */
const stride = 11;

/** Real files whose writes stop for good after so many bytes: the disk as a process leaves it that dies there. */
function diskThatStopsAfter(bytes: number): OpenFile {
  let left = bytes;
  return async (path) => {
    const file = await openOnDisk(path);
    return {
      async write(data, position) {
        const part = data.subarray(0, Math.max(0, left));
        left -= data.length;
        await file.write(part, position);
        if (left < 0) throw new Error("dead");
      },
      async truncate(length) {
        if (left <= 0) throw new Error("dead");
        left--;
        await file.truncate(length);
      },
      close: () => file.close(),
    };
  };
}

describe("a crash in a save", () => {
  it("at any byte loses no message that was saved before, and the session opens", async () => {
    const base = [userMessage("a"), text("b", "b")] as const;
    const steps: Message[][] = [
      [...base, text("c", "short")],
      [...base, text("c", "replaced by a longer text"), text("d", "d")],
      [...base, text("c", "replaced by a longer text"), text("d", "D")],
      [...base, text("c", "x")],
      [...base, text("c", "x"), text("e", "appended")],
    ];
    const origin = tempFolder();
    const first = new SessionStore({ home: origin }).create("one", metadata);
    await first.save(base);
    await first.close();
    const crashAfter = async (bytes: number): Promise<"crashed" | "finished"> => {
      const home = tempFolder();
      cpSync(origin, home, { recursive: true });
      const { file } = await new SessionStore({ home, openFile: diskThatStopsAfter(bytes) }).open("one");
      let saved: readonly Message[] = base;
      let attempted: readonly Message[] = base;
      for (const step of steps) {
        attempted = step;
        const failure = await file.save(step).catch((error: unknown) => error);
        if (failure) break;
        saved = step;
      }
      await file.close().catch(() => {});
      rmSync(join(home, ".wave", "sessions", "session_one.json.lock"), { force: true });
      const reopened = await new SessionStore({ home }).open("one");
      const found = reopened.session.messages;
      const wasAppending = saved.every((message, at) => message === attempted[at]);
      const allowed = [
        saved,
        attempted,
        ...(wasAppending ? attempted.map((_, at) => attempted.slice(0, at + 1)) : []),
      ]
        .filter((messages) => messages === attempted || messages.length >= saved.length)
        .map((messages) => JSON.stringify(messages));
      expect(allowed).toContain(JSON.stringify(found));
      await reopened.file.save([...found, userMessage("on")]);
      await reopened.file.close();
      expect((await new SessionStore({ home }).load("one")).messages).toHaveLength(found.length + 1);
      rmSync(home, { recursive: true });
      return saved === steps.at(-1) ? "finished" : "crashed";
    };
    let crashes = 0;
    for (let bytes = 0; ; bytes += 8 * stride) {
      const ends = await Promise.all(
        Array.from({ length: 8 }, (_, lane) => crashAfter(bytes + lane * stride)),
      );
      crashes += ends.filter((end) => end === "crashed").length;
      if (ends.includes("finished")) break;
    }
    expect(crashes).toBeGreaterThan(150);
  }, 60_000);

  it("kill -9 of a saving process, 200 times at random moments: every saved message is there, and the session opens", async () => {
    const folder = tempFolder();
    const program = join(folder, "save.cjs");
    buildSync({
      entryPoints: [join(import.meta.dirname, "saveForever.ts")],
      outfile: program,
      bundle: true,
      platform: "node",
      logLevel: "silent",
    });
    let kills = 0;
    const killOne = async (round: number): Promise<void> => {
      const home = join(folder, `home${round}`);
      mkdirSync(home);
      const child = spawn(process.execPath, [program, home], { stdio: ["ignore", "pipe", "inherit"] });
      let told = "";
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        told += chunk;
      });
      await once(child.stdout, "data");
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 15));
      child.kill("SIGKILL");
      await once(child, "close");
      if (child.signalCode === "SIGKILL") kills++;
      const saved = told.split("\n").slice(0, -1).map(Number).at(-1) ?? 0;
      const { session, file } = await new SessionStore({ home }).open("one");
      expect(session.messages.length).toBeGreaterThanOrEqual(saved);
      session.messages.forEach((message, at) => {
        expect(textOf(message)).toMatch(new RegExp(`^message ${at} x+ end$`));
        // All but the last message of a save have been replaced by their longer form.
        if (at < saved - 1) expect(textOf(message).length).toBeGreaterThan(9000);
      });
      await file.close();
      rmSync(home, { recursive: true });
    };
    const lanes = Array.from({ length: 4 }, async (_, lane) => {
      for (let round = 0; round < 50; round++) await killOne(lane * 50 + round);
    });
    await Promise.all(lanes);
    expect(kills).toBe(200);
  }, 600_000);
});

describe("a full disk", () => {
  it.skipIf(!canMountTmpfs())(
    "is told, loses nothing, leaves a whole file; a later save catches up",
    async () => {
      const home = tempFolder();
      mountTmpfs(home, 64);
      const store = new SessionStore({ home });
      const file = store.create("one", metadata);
      const messages: Message[] = [];
      let failure: unknown;
      while (!failure && messages.length < 200) {
        messages.push(text(String(messages.length), "x".repeat(1500)));
        failure = await file.save(messages).catch((error: unknown) => error);
      }
      expect(failure).toBeInstanceOf(SessionSaveError);
      expect(String(failure)).toMatch(/could not be saved .*disk is full/);
      expect((await store.load("one")).messages).toEqual(messages.slice(0, -1));
      messages.push(text("more", "while full"));
      await expect(file.save(messages)).rejects.toThrow(SessionSaveError);
      resizeTmpfs(home, 1024);
      await file.save(messages);
      expect((await store.load("one")).messages).toEqual(messages);
      await file.close();
    },
  );

  it("at any write: the file stays whole, nothing is lost, the next save catches up", async () => {
    const home = tempFolder();
    let room = Number.POSITIVE_INFINITY;
    const openFile: OpenFile = async (path) => {
      const onDisk = await openOnDisk(path);
      return {
        ...onDisk,
        async write(data, position) {
          await onDisk.write(data.subarray(0, Math.max(0, Math.min(data.length, room - position))), position);
          if (position + data.length > room) throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
        },
      };
    };
    const store = new SessionStore({ home, openFile });
    const file = store.create("one", metadata);
    let saved: Message[] = [userMessage("a")];
    await file.save(saved);
    for (let limit = 0; limit < 1200; limit += 7) {
      room = limit;
      const next = [
        ...saved.slice(0, -1),
        text("b", "y".repeat(limit % 50)),
        text("c", "z".repeat(limit % 90)),
      ];
      const done = await file.save(next).then(
        () => true,
        () => false,
      );
      if (done) saved = next;
      expect((await store.load("one")).messages).toEqual(saved);
    }
    room = Number.POSITIVE_INFINITY;
    const last = [...saved, text("d", "d")];
    await file.save(last);
    expect((await store.load("one")).messages).toEqual(last);
    await file.close();
  });
});

describe("two processes on one session", () => {
  it("the second says so; a lock whose process died is taken over", async () => {
    const folder = tempFolder();
    const program = join(folder, "save.cjs");
    buildSync({
      entryPoints: [join(import.meta.dirname, "saveForever.ts")],
      outfile: program,
      bundle: true,
      platform: "node",
      logLevel: "silent",
    });
    const child = spawn(process.execPath, [program, folder], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    await once(child.stdout, "data");
    await expect(new SessionStore({ home: folder }).open("one")).rejects.toThrow(
      `Session one is open in another window or process (process ${child.pid}).`,
    );
    child.kill("SIGKILL");
    await once(child, "close");
    const { file } = await new SessionStore({ home: folder }).open("one");
    await file.close();
  });
});
