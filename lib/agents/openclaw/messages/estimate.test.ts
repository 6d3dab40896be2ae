import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OPENCLAW_PRESETS } from "../base/presets";
import { messagesTokens, messageTokens, planningTokens, senderSuffix, summaryContent, textTokens } from "./estimate";
import type { AgentMessage } from "./message";

/** A block of a content, and its size by each rule: lengths in 2026.2.1, texts in 2026.9.6. Source: README.md, "Sizes". */
interface Sample {
  readonly block: unknown;
  /** Its chars in a user message, in a result or custom message, and in a response. */
  readonly documented: readonly [user: number, result: number, response: number];
  /** Its text in a content of 2026.9.6: a text, or a note on omitted media. */
  readonly text?: string;
  readonly note?: string;
  readonly isImage?: boolean;
  /** The text that counts in a response of 2026.9.6. */
  readonly response?: string;
}

const IMAGE_NOTE = "[image data omitted from summary input]";
const OTHER_NOTE = "[non-text data omitted from summary input]";

// Letters weigh one, and common Chinese characters four in 2026.9.6.
const word = fc.stringMatching(/^[a中 ]{0,9}$/);
const filled = word.filter((text) => text !== "");
const notText = fc.constantFrom(undefined, null, 7, ["a"]);

const sample: fc.Arbitrary<Sample> = fc.oneof(
  word.map((text) => ({
    block: { type: "text", text },
    documented: [text.length, text.length, text.length] as const,
    text,
    response: text,
  })),
  notText.map((text) => ({ block: { type: "text", text }, documented: [0, 0, 0] as const })),
  word.map((thinking) => ({
    block: { type: "thinking", thinking, thinkingSignature: "s" },
    documented: [0, 0, thinking.length] as const,
    note: OTHER_NOTE,
    response: thinking,
  })),
  fc.record({ name: word, args: fc.dictionary(word, fc.jsonValue({ maxDepth: 1 })) }).map(({ name, args }) => ({
    block: { type: "toolCall", id: "an id counts nothing", name, arguments: args },
    documented: [0, 0, name.length + JSON.stringify(args).length] as const,
    note: OTHER_NOTE,
    response: name + JSON.stringify(args),
  })),
  fc.constant({
    block: { type: "toolCall", id: "c", name: "ls" },
    documented: [0, 0, 2] as const,
    note: OTHER_NOTE,
    response: "lsundefined",
  }),
  fc.constant({
    block: { type: "image", data: "iVBO", mimeType: "image/png" },
    documented: [0, 4800, 0] as const,
    note: IMAGE_NOTE,
    isImage: true,
  }),
  fc.tuple(fc.constantFrom("toolResult", "tool_result"), filled, word).map(([type, text, content]) => ({
    block: { type, text, content },
    documented: [0, 0, 0] as const,
    text,
  })),
  fc
    .tuple(fc.constantFrom("toolResult", "tool_result"), fc.oneof(notText, fc.constant("")), filled)
    .map(([type, text, content]) => ({
      block: { type, text, content },
      documented: [0, 0, 0] as const,
      text: content,
    })),
  fc.constantFrom("toolResult", "tool_result").map((type) => ({
    block: { type, content: [{ type: "text", text: "nested" }] },
    documented: [0, 0, 0] as const,
    note: OTHER_NOTE,
  })),
  fc.constant({
    block: { type: "redacted", text: "hidden", content: "hidden" },
    documented: [0, 0, 0] as const,
    note: OTHER_NOTE,
  }),
  fc.constantFrom(null, "bare", 7, ["a"]).map((block) => ({ block, documented: [0, 0, 0] as const })),
);
const samples = fc.array(sample, { maxLength: 6 });

const lengthOf = (chars: readonly number[]) => Math.ceil(chars.reduce((sum, one) => sum + one, 0) / 4);
const weigh = (text: string) => [...text].reduce((sum, point) => sum + (point === "中" ? 4 : 1), 0);

describe("a message of 2026.2.1", () => {
  it.each([
    ["user", 0],
    ["toolResult", 1],
    ["custom", 1],
    ["assistant", 2],
  ] as const)("of role %s counts a quarter of its blocks' lengths, rounded up once", (role, rule) => {
    const property = fc.property(samples, (list) => {
      const message = { role, content: list.map(({ block }) => block), details: { text: "counts nothing" } };
      expect(messageTokens(message, "as-documented")).toBe(lengthOf(list.map(({ documented }) => documented[rule])));
    });
    fc.assert(property, { numRuns: 300 });
  });
});

describe("a message of 2026.9.6", () => {
  it.each(["user", "toolResult", "custom"])("of role %s counts its joined texts, its images and a note", (role) => {
    const property = fc.property(samples, (list) => {
      const texts = list.flatMap(({ text }) => (text === undefined || text === "" ? [] : [text]));
      const notes = new Set(list.flatMap(({ note }) => note ?? []));
      const images = list.filter(({ isImage }) => isImage === true).length;
      const chars = weigh(texts.join("\n")) + images * 8000 + (notes.size > 0 ? [...notes].join("\n").length + 17 : 0);
      const message = { role, content: list.map(({ block }) => block) };
      expect(messageTokens(message, "current")).toBe(Math.ceil(chars / 4));
      expect(summaryContent(message.content)).toEqual({ text: texts.join("\n"), omitted: [...notes] });
    });
    fc.assert(property, { numRuns: 300 });
  });

  it("of role assistant counts its texts, thinking and calls", () => {
    const property = fc.property(samples, (list) => {
      const message = { role: "assistant", content: list.map(({ block }) => block) };
      const expected = lengthOf(list.map(({ response }) => weigh(response ?? "")));
      expect(messageTokens(message, "current")).toBe(expected);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it("excluded from the context counts 0, except in 2026.2.1, which ignores the mark", () => {
    for (const role of ["user", "assistant", "bashExecution"]) {
      const message = { role, content: [{ type: "text", text: "abcde" }], command: "abcd", output: "e" };
      expect(messageTokens({ ...message, excludeFromContext: true }, "current")).toBe(0);
      expect(messageTokens({ ...message, excludeFromContext: "true" }, "current")).toBe(2);
      expect(messageTokens({ ...message, excludeFromContext: true }, "as-documented")).toBe(2);
    }
  });

  it.each([
    [undefined, ""],
    ["s", ""],
    [{}, ""],
    [{ senderId: 7, senderName: "Ann" }, ""],
    [{ senderId: " \0 ", senderName: "Ann" }, ""],
    [{ senderId: " u\x001 " }, ' sender={"id":"u1"}'],
    [{ senderId: "u", senderName: " Ann\0 ", senderUsername: "" }, ' sender={"id":"u","name":"Ann"}'],
    [{ senderId: "u", senderUsername: "ann" }, ' sender={"id":"u","username":"ann"}'],
  ])("with the sender %j ends in %j if it is a user message", (meta, suffix) => {
    const message = { role: "user", content: "abc", __openclaw: meta };
    expect(senderSuffix(message)).toBe(suffix);
    expect(messageTokens(message, "current")).toBe(Math.ceil((3 + suffix.length) / 4));
    expect(messageTokens({ ...message, role: "custom" }, "current")).toBe(1);
    expect(messageTokens(message, "as-documented")).toBe(1);
  });
});

describe.each(OPENCLAW_PRESETS)("any message: %s", (preset) => {
  const chinese = preset === "current" ? 4 : 1;

  it("with one text counts that text's length", () => {
    const property = fc.property(word, word, (text, other) => {
      const size = (one: string) => [...one].reduce((sum, point) => sum + (point === "中" ? chinese : 1), 0);
      const tokens = Math.ceil(size(text) / 4);
      for (const role of ["user", "toolResult", "custom"]) {
        expect(messageTokens({ role, content: text }, preset)).toBe(tokens);
      }
      for (const role of ["branchSummary", "compactionSummary"]) {
        expect(messageTokens({ role, summary: text, content: other }, preset)).toBe(tokens);
      }
      expect(messageTokens({ role: "bashExecution", command: text, output: other }, preset)).toBe(
        Math.ceil((size(text) + size(other)) / 4),
      );
      expect(textTokens(text, preset)).toBe(tokens);
    });
    fc.assert(property, { numRuns: 200 });
  });

  it("without the content that its role requires counts nothing", () => {
    const roles = ["user", "assistant", "toolResult", "custom", "bashExecution", "branchSummary", "compactionSummary"];
    for (const role of roles) {
      expect(messageTokens({ role }, preset)).toBe(0);
      expect(messageTokens({ role, content: 7, command: 7, output: null, summary: ["s"] }, preset)).toBe(0);
    }
    const all = { content: "abcd", command: "abcd", output: "abcd", summary: "abcd" };
    for (const role of ["system", "", undefined]) expect(messageTokens({ role, ...all }, preset)).toBe(0);
    // A response must be a list of blocks.
    expect(messageTokens({ role: "assistant", ...all }, preset)).toBe(0);
  });

  it("counts in a plan, except the runtime's own messages in 2026.9.6", () => {
    const own: AgentMessage = { role: "custom", customType: "openclaw.runtime-context", content: "abcde" };
    expect(planningTokens(own, preset)).toBe(preset === "current" ? 0 : 2);
    expect(planningTokens({ ...own, customType: "other" }, preset)).toBe(2);
    expect(planningTokens({ ...own, role: "user" }, preset)).toBe(2);
    // Each message is rounded separately.
    expect(messagesTokens([own, { role: "user", content: "abcde" }, { role: "user", content: "a" }], preset)).toBe(
      preset === "current" ? 3 : 5,
    );
  });
});

it("summaryContent returns a text unchanged, and an empty text for absent content", () => {
  expect(summaryContent("")).toEqual({ text: "", omitted: [] });
  expect(summaryContent("text")).toEqual({ text: "text", omitted: [] });
  expect(summaryContent(undefined)).toEqual({ text: "", omitted: [] });
});
