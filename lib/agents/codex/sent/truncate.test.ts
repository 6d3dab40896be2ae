import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { utf8Length } from "@/lib/core/base/characters";
import { resized, tokensOfBytes, truncatedBytes, USER_MESSAGE_BYTES } from "../base/constants";
import { itemTokens } from "../messages/estimate";
import { userMessage } from "../messages/item";
import { splitText, truncateText } from "./truncate";

describe("truncateText", () => {
  it("replaces the middle with a marker", () => {
    expect(truncateText("0123456789abcdef", { mode: "tokens", limit: 2 })).toBe("0123…2 tokens truncated…cdef");
    expect(truncateText("0123456789abcdef", { mode: "bytes", limit: 5 })).toBe("01…11 chars truncated…def");
  });

  it("never splits a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(40), fc.nat(40), (text, left, right) => {
        const { head, tail, removed } = splitText(text, left, right);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(utf8Length(head)).toBeLessThanOrEqual(left);
        expect(utf8Length(head) + utf8Length(tail)).toBeLessThanOrEqual(Math.max(utf8Length(text), left + right));
        expect([...text]).toHaveLength([...head].length + removed + [...tail].length);
      }),
    );
  });
});

describe("truncated sizes computed from byte counts", () => {
  it("are a truncated text's bytes to within one character at each side of the cut", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), fc.nat(60), (text, budget) => {
        const exact = utf8Length(truncateText(text, { mode: "tokens", limit: budget }));
        const numbers = text === "" ? 0 : truncatedBytes(utf8Length(text), budget);
        expect(numbers).toBeGreaterThanOrEqual(exact);
        expect(numbers - exact).toBeLessThan(8);
      }),
    );
  });

  it("are the exact tokens of an ASCII message, truncated or not", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z ]{0,400}$/), fc.nat(60), (text, budget) => {
        fc.pre(text !== "" && budget > 0);
        const before = itemTokens(userMessage(text), "release-2026-01");
        const exact = itemTokens(userMessage(truncateText(text, { mode: "tokens", limit: budget })), "release-2026-01");
        const after = truncatedBytes(text.length, budget);
        // The marker's two ellipses are the only non-ASCII characters here, and its bytes are all counted.
        expect(resized(before, USER_MESSAGE_BYTES + text.length, USER_MESSAGE_BYTES + after)).toBe(exact);
      }),
    );
  });

  it("scale another estimator's tokens in proportion", () => {
    expect(resized(1000, 1000, 250)).toBe(250);
    expect(resized(tokensOfBytes(1000), 1000, 250)).toBe(63);
  });
});
