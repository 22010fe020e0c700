import { describe, expect, it } from "vitest";
import { Drafts } from "../../src/extension/chat/drafts.ts";
import { MemoryStore } from "../support/memoryStore.ts";

describe("drafts", () => {
  it("are kept by session over a reload of the window", async () => {
    const store = new MemoryStore();
    const drafts = new Drafts(store);
    await drafts.set("a", "one");
    await drafts.set("b", "two");
    await drafts.set("a", "");
    const reloaded = new Drafts(store);
    expect([reloaded.get("a"), reloaded.get("b"), reloaded.get("constructor")]).toEqual(["", "two", ""]);
  });

  it("do not pile up", async () => {
    const store = new MemoryStore();
    const drafts = new Drafts(store);
    for (let index = 0; index < 60; index++) await drafts.set(`s${index}`, `${index}`);
    expect(drafts.get("s0")).toBe("");
    expect(drafts.get("s59")).toBe("59");
    expect(Object.keys(store.get<object>("chat.drafts") ?? {}).length).toBe(50);
  });
});
