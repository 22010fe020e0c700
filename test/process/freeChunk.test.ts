import { describe, expect, it } from "vitest";
import { freeChunk } from "../../src/process/freeChunk.ts";

describe("freeing a chunk", () => {
  it("E11 takes its memory, and leaves alone what shares its memory with others", () => {
    const own = Buffer.allocUnsafeSlow(1024);
    const pooled = Buffer.from("neighbours");
    freeChunk(own);
    freeChunk(pooled);
    expect(own.length).toBe(0);
    expect(pooled.toString()).toBe("neighbours");
  });
});
