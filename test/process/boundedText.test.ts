import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BoundedText } from "../../src/process/boundedText.ts";

describe("bounded text", () => {
  it("E11 keeps whole characters of any text, however it is split, and says what is missing", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 200 }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 7 }),
        (text, limit, step) => {
          const bytes = Buffer.from(text);
          const kept = new BoundedText(limit);
          for (let at = 0; at < bytes.length; at += step) kept.add(bytes.subarray(at, at + step));
          if (bytes.length <= limit) {
            expect(kept.wasCut).toBe(false);
            expect(kept.text()).toBe(bytes.toString());
            return;
          }
          expect(kept.wasCut).toBe(true);
          const [, start, missing] = /^([\s\S]*)\n… \[cut: (\d+) more bytes\]$/.exec(kept.text()) ?? [];
          expect(bytes.toString().startsWith(start ?? "?")).toBe(true);
          expect(Buffer.byteLength(start ?? "") + Number(missing)).toBe(bytes.length);
          expect(limit - Buffer.byteLength(start ?? "")).toBeLessThan(4);
        },
      ),
    );
  });

  it("E12 keeps bytes that are no UTF-8 as replacement characters, also where they are cut", () => {
    const kept = new BoundedText(4);
    kept.add(Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80]));
    expect(kept.text()).toBe("\uFFFD\uFFFD\uFFFD\uFFFD\n… [cut: 1 more bytes]");
  });
});
