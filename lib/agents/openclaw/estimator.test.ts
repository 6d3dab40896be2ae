import { describe, expect, it } from "vitest";
import type { Message } from "@/lib/core/transcript/model";
import { blockOf, contentsOf, messageOf, sum } from "../testing/messages";
import { CUT } from "./constants";
import { openClawEstimator, openClawEstimatorOf, openClawMeasures } from "./estimator";
import { toNative } from "./native";

const current = openClawEstimatorOf("current");
const tokensOf = (message: Message, estimator = openClawEstimator, format = "pi") =>
  estimator.blocks(message, contentsOf(message), format);

describe("the token rule", () => {
  it("counts units, and in the newer release what tokenizers make of Chinese", () => {
    expect([openClawEstimator.text(""), openClawEstimator.text("abcde"), openClawEstimator.text("备份")]).toEqual([
      0, 2, 1,
    ]);
    expect([current.text(""), current.text("abcde"), current.text("备份")]).toEqual([0, 2, 2]);
  });

  it("counts a message in its own shape, and nothing else", () => {
    const image = { role: "user", content: [{ type: "image", data: "AAAA" }] };
    expect([openClawEstimator.message?.(image), current.message?.(image)]).toEqual([0, 2014]);
    expect(openClawEstimator.message?.({ content: "no role" })).toBeUndefined();
    expect(openClawEstimator.message?.("text")).toBeUndefined();
  });

  it("rounds once a message, and shares it out to the token", () => {
    const response = messageOf(
      "assistant",
      "response",
      blockOf("thinking", "hm"),
      blockOf("text", "I look."),
      blockOf("tool_call", '{"path":"a"}', { callId: "c1", tool: "read" }),
    );
    const tokens = tokensOf(response);
    expect(sum(tokens)).toBe(Math.ceil((2 + 7 + 4 + 12) / 4));
    expect(tokens).toEqual([1, 2, 4]);
  });

  it("counts every result by itself, with its images", () => {
    const results = messageOf(
      "user",
      "tool",
      blockOf("tool_result", "12345", { callId: "c1" }),
      blockOf("image", "AAAA", { callId: "c1" }),
      blockOf("tool_result", "1", { callId: "c2" }),
    );
    expect(toNative(results, contentsOf(results)).map(({ blocks }) => blocks)).toEqual([[0, 1], [2]]);
    expect(tokensOf(results)).toEqual([1, 1201, 1]);
    expect(sum(tokensOf(results, current))).toBe(Math.ceil((5 + 8000 + 56) / 4) + 1);
  });

  it("measures its own record as it is", () => {
    const record = { type: "compaction", summary: "1234" };
    const summary = messageOf("user", "summary", blockOf("text", "<summary>1234</summary>"));
    expect(openClawEstimator.blocks(summary, contentsOf(summary, record), "openclaw")).toEqual([1]);
    const hook = { type: "message", message: { role: "hookMessage", content: "12345" } };
    const context = messageOf("user", "context", blockOf("text", "12345"));
    expect(openClawEstimator.blocks(context, contentsOf(context, hook), "openclaw")).toEqual([2]);
  });
});

describe("measures", () => {
  const cutsOf = (message: Message, record?: Readonly<Record<string, unknown>>) =>
    openClawMeasures(message, contentsOf(message, record), record === undefined ? "pi" : "openclaw")["openclaw.cut"];

  it("say what begins with a block", () => {
    expect(cutsOf(messageOf("user", "typed", blockOf("text", "a"), blockOf("text", "b")))).toEqual([
      CUT.TURN,
      CUT.INSIDE,
    ]);
    expect(cutsOf(messageOf("assistant", "response", blockOf("text", "a")))).toEqual([CUT.RESPONSE]);
    expect(cutsOf(messageOf("user", "context", blockOf("text", "a")))).toEqual([CUT.ENTRY]);
    const two = messageOf("user", "tool", blockOf("tool_result", "a"), blockOf("tool_result", "b"));
    expect(cutsOf(two)).toEqual([CUT.RESULT, CUT.RESULT]);
    const carrier = { type: "custom_message", content: "a", details: { runtimeContextCarrier: true } };
    expect(cutsOf(messageOf("user", "context", blockOf("text", "a")), carrier)).toEqual([CUT.CARRIER]);
    const heartbeat = { type: "message", message: { role: "user", content: "a" } };
    expect(cutsOf(messageOf("user", "context", blockOf("text", "a")), heartbeat)).toEqual([CUT.TURN]);
  });

  it("weigh texts, and what they cost within a prompt", () => {
    const result = messageOf("user", "tool", blockOf("tool_result", "备份".repeat(10), { tool: "exec" }));
    const measures = openClawMeasures(result, contentsOf(result), "pi");
    expect(measures["openclaw.weightedChars"]).toEqual([80]);
    // 12 a message, 6 a block, the text, and the tool's name at three chars a token.
    expect(measures["openclaw.pressure"]).toEqual([12 + 6 + 20 + 2]);
  });
});
