import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sumOf } from "@/lib/core/base/numbers";
import type { Message } from "@/lib/core/transcript/model";
import { arbitraryMessage, blockOf, contentsOf, messageOf } from "@/verify/support/messages";
import { miniClaudeCodeEstimator } from "./estimator";

/** README.md, "Tokens": 2.5 units for a token, rounded up for each message; parts as one JSON. */
const tokensOf = (content: unknown) =>
  Math.ceil((typeof content === "string" ? content : JSON.stringify(content)).length / 2.5);
const shares = (message: Message, format = "pi", record = {}) =>
  miniClaudeCodeEstimator.blocks(message, contentsOf(message, record), format);

/** Blocks of another agent's message as mini-claude-code holds them: results are separate from the rest, and images are omitted. */
function heldContents({ origin, role, blocks }: Message): readonly unknown[] {
  if (origin === "tool") {
    const first = blocks.findIndex(({ kind }) => kind === "tool_result");
    const content = blocks
      .filter(({ kind }) => kind === "tool_result")
      .map(({ callId, tool, text }) => ({
        type: "tool-result",
        toolCallId: callId,
        toolName: tool,
        result: text.value,
      }));
    // Images before the first result become a message without a text.
    return [...(first === 0 ? [] : [""]), ...(content.length === 0 ? [] : [content])];
  }
  if (role === "user") return [blocks.flatMap(({ kind, text }) => (kind === "text" ? [text.value] : [])).join("\n")];
  return [
    blocks.map(({ kind, callId, tool, text }) => {
      if (kind !== "tool_call") return { type: kind === "text" ? "text" : "reasoning", text: text.value };
      const isJson = text.value?.startsWith("{") === true && text.value.endsWith("}");
      const args = isJson ? JSON.parse(text.value ?? "") : text.value;
      return { type: "tool-call", toolCallId: callId, toolName: tool, args };
    }),
  ];
}

describe("the token rule", () => {
  it("counts messages of the AI SDK and nothing else", () => {
    const { id, text, message } = miniClaudeCodeEstimator;
    expect([id, text("12345"), text("123456")]).toEqual(["mini-claude-code", 2, 3]);
    expect(message?.({ role: "user", content: "12345" })).toBe(2);
    expect(message?.({ role: "tool", content: [] })).toBe(1);
    for (const none of [{ role: "user" }, { content: "a" }, "text", null]) expect(message?.(none)).toBeUndefined();
  });

  it("sums to the sizes of another agent's converted messages", () => {
    fc.assert(
      fc.property(arbitraryMessage, ({ message, contents, format }) => {
        const tokens = miniClaudeCodeEstimator.blocks(message, contents, format);
        expect(sumOf(tokens)).toBe(sumOf(heldContents(message).map(tokensOf)));
      }),
    );
  });

  it("distributes a message by the length of its texts' JSON", () => {
    // 18 units of JSON each, although one text has twice as many units.
    const message = messageOf("user", "typed", blockOf("text", "\n".repeat(8)), blockOf("text", "x".repeat(16)));
    expect(shares(message)).toEqual([5, 5]);
    const loadedOnce = contentsOf(message).slice(0, 1);
    expect(miniClaudeCodeEstimator.blocks(message, loadedOnce, "pi")).toEqual([4, 0]);
  });

  it("omits another agent's image, and counts its own by its payload", () => {
    const [text, image] = [blockOf("text", "x".repeat(20)), blockOf("image", "A".repeat(108), { part: 1 })];
    const message = messageOf("user", "typed", text, image);
    expect(shares(message)).toEqual([8, 0]);
    const content = [
      { type: "text", text: "x".repeat(20) },
      { type: "image", image: "A".repeat(108) },
    ];
    const own = shares(message, "mini-claude-code", { role: "user", content });
    expect(sumOf(own)).toBe(tokensOf(content));
    // The image has 110 of the 132 units of quoted texts.
    expect(own[1]).toBe(Math.round((tokensOf(content) * 110) / 132));
  });

  it("counts its own record as written if the record holds the message", () => {
    const call = { type: "tool-call", toolCallId: "c1", toolName: "bash", args: { a: undefined, b: "x" }, extra: 1 };
    const messages = [
      { role: "user", content: "Look." },
      { role: "assistant", content: [call] },
    ];
    const record = { system: "Be brief.", messages };
    const message = messageOf("assistant", "response", blockOf("tool_call", '{"b":"x"}', { part: 2 }));
    expect(shares(message, "mini-claude-code", record)).toEqual([tokensOf([call])]);
    expect(shares(message, "pi", record)).not.toEqual([tokensOf([call])]);
  });
});
