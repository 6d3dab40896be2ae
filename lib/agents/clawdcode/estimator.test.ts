import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sumOf } from "@/lib/core/base/numbers";
import type { Encoding } from "@/lib/core/tokens/encodings";
import type { Message } from "@/lib/core/transcript/model";
import { arbitraryMessage, blockOf, contentsOf, messageOf } from "@/verify/support/messages";
import { clawdcodeFastEstimator, clawdcodeMeasures, createClawdcodeEstimator } from "./estimator";

/** Counts one token for a word, so that results can be checked by eye; two under the newer encoding. */
const wordsOf = (encoding: Encoding) => (text: string) =>
  text.split(/\s+/).filter((word) => word !== "").length * (encoding === "o200k_base" ? 2 : 1);
const exact = () => createClawdcodeEstimator(wordsOf);

const call = (name: string, text: string, callId?: string) =>
  blockOf("tool_call", text, { tool: name, ...(callId === undefined ? {} : { callId }) });
const response = messageOf(
  "assistant",
  "response",
  blockOf("thinking", "not counted at all"),
  blockOf("text", "I look at it."),
  call("read file", "{ one two }", "c1"),
  blockOf("text", "And then."),
  call("grep", "x"),
);
const results = messageOf(
  "user",
  "tool",
  blockOf("tool_result", "a b c", { callId: "c1", tool: "read" }),
  blockOf("image", "AAAA", { callId: "c1" }),
  blockOf("tool_result", "d", { callId: "c2" }),
);
const shares = (rule: ReturnType<typeof exact>, message: Message) => rule.blocks(message, contentsOf(message), "pi");

describe("the exact count", () => {
  it("counts 4 plus role and content for a message, and 4 plus id, name and arguments for a call", () => {
    const rule = exact();
    const tool_calls = [{ id: "c1", function: { name: "read file", arguments: "{ one two }" } }];
    expect([rule.id, rule.text("a b c")]).toEqual(["clawdcode", 3]);
    expect(rule.message?.({ role: "assistant", content: "a b", tool_calls })).toBe(4 + 1 + 2 + (4 + 1 + 2 + 4));
    // An object with a content or a role is a message; a missing role is not counted.
    expect(rule.message?.({ content: "a b" })).toBe(4 + 2);
    expect(rule.message?.({ tool_calls })).toBe(4 + 11);
    for (const none of [{ role: "user" }, "text", null, []]) expect(rule.message?.(none)).toBeUndefined();
  });

  it("uses the model's encoding", () => {
    expect(createClawdcodeEstimator(wordsOf, "o1").text("a b")).toBe(4);
    expect(createClawdcodeEstimator(wordsOf, "gpt-4o").text("a b")).toBe(2);
  });

  it("gives the envelope to the first block, its own cost to each call, and the rest to the texts", () => {
    // 6 words distributed over 13 and 9 units, after 4 and the role.
    expect(shares(exact(), response)).toEqual([5, 4, 4 + 1 + 2 + 4, 2, 4 + 1 + 1]);
    expect(shares(exact(), results)).toEqual([5 + 3, 0, 5 + 1]);
  });

  it("uses the loaded texts if the message holds no text itself", () => {
    const message = messageOf("user", "typed", blockOf("text", "a b"), blockOf("text", "c d"));
    expect(exact().blocks(message, contentsOf(message).slice(0, 1), "pi")).toEqual([5 + 2, 0]);
  });
});

describe("the rough estimate", () => {
  const units = (text: string) => Math.ceil(text.length / 4);

  it("counts 4 for a message, plus its content, plus its calls as one JSON", () => {
    const { id, text, message } = clawdcodeFastEstimator;
    const tool_calls = [{ id: "c1", function: { name: "read", arguments: "{}" } }];
    expect([id, text("abcde"), text("会话记")]).toEqual(["clawdcode-fast", 2, 2]);
    expect(message?.({ content: "abcde", tool_calls })).toBe(4 + 2 + units(JSON.stringify(tool_calls)));
    for (const none of [{ role: "user" }, "text", null]) expect(message?.(none)).toBeUndefined();
  });

  it("distributes the calls by their JSON, and the content by the length of its texts", () => {
    const calls = [
      { id: "c1", type: "function", function: { name: "read file", arguments: "{ one two }" } },
      { type: "function", function: { name: "grep", arguments: "x" } },
    ];
    const [thinking, first = 0, read = 0, second = 0, grep = 0] = shares(clawdcodeFastEstimator, response);
    expect(thinking).toBe(4);
    expect([first, second]).toEqual([4, 2]); // 23 units, of which 13 and 9.
    expect(read + grep).toBe(units(JSON.stringify(calls)));
    const [ofRead, ofGrep] = [
      '{"id":"c1","name":"read file","arguments":"{ one two }"}',
      '{"name":"grep","arguments":"x"}',
    ];
    expect(Math.abs(read / (read + grep) - ofRead.length / (ofRead.length + ofGrep.length))).toBeLessThan(0.02);
    expect(shares(clawdcodeFastEstimator, results)).toEqual([4 + 2, 0, 4 + 1]);
  });
});

describe("blocks of another agent's message", () => {
  it("cost as much as the ClawdCode messages that they convert to", () => {
    fc.assert(
      fc.property(arbitraryMessage, (one) => {
        const { message, contents } = one;
        const held = message.blocks.some(({ kind }) => kind === "tool_result")
          ? nativeResults(message)
          : [nativeOther(message)];
        for (const rule of [exact(), clawdcodeFastEstimator]) {
          const tokens = rule.blocks(message, contents, "pi");
          expect(sumOf(tokens)).toBe(sumOf(held.map((native) => rule.message?.(native) ?? Number.NaN)));
        }
      }),
    );
  });

  /** An image before the first result is a message of its own, without any text. */
  function nativeResults({ role, blocks }: Message) {
    const before = blocks[0]?.kind === "image" ? [{ role, content: "" }] : [];
    const found = blocks.filter(({ kind }) => kind === "tool_result");
    return [...before, ...found.map(({ text }) => ({ role: "tool", content: text.value }))];
  }

  function nativeOther({ role, blocks }: Message) {
    const texts = blocks.filter(({ kind }) => kind === "text").map(({ text }) => text.value);
    const tool_calls = blocks
      .filter(({ kind }) => kind === "tool_call")
      .map(({ callId, tool, text }) => ({
        id: callId,
        type: "function",
        function: { name: tool, arguments: text.value },
      }));
    return { role, content: texts.join("\n"), ...(tool_calls.length === 0 ? {} : { tool_calls }) };
  }
});

describe("clawdcodeMeasures", () => {
  it("marks the results without a call id", () => {
    const message = messageOf(
      "user",
      "tool",
      blockOf("tool_result", "a", { callId: "c1" }),
      blockOf("tool_result", "b"),
      blockOf("image", "AAAA"),
      blockOf("text", "c"),
      blockOf("tool_call", "d", { callId: "c2" }),
    );
    expect(clawdcodeMeasures()(message, [])["clawdcode.withoutCallId"]).toEqual([0, 1, 0, 0, 0]);
  });

  it("numbers the file paths in texts and calls, with their positions", () => {
    const message = messageOf(
      "assistant",
      "response",
      blockOf("text", "see src/a.ts and a.b/c.PNG"),
      blockOf("tool_call", '{"file_path":"src/a.ts"}', { tool: "Read", file: "src/a.ts" }),
      blockOf("tool_call", '{"path":"src/a.ts"}', { tool: "Bash" }),
      blockOf("thinking", "src/a.ts"),
    );
    const contents = message.blocks.map(({ text }) => ({ text: text.value ?? "", record: {} }));
    const [source, binary] = [1, 2];
    expect(clawdcodeMeasures()(message, contents)["clawdcode.paths"]).toEqual([
      [source, 4, 12, binary, 17, 26],
      [source, 14, 22],
      [],
      [],
    ]);
  });
});
