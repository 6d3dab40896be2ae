import { describe, expect, it } from "vitest";
import { blockOf, contentsOf, messageOf, sum } from "../testing/messages";
import { itemTokens } from "./estimate";
import { codexEstimator, codexEstimatorOf, codexMeasures } from "./estimator";
import { userMessage } from "./item";
import { toNative } from "./native";

describe("codex estimator", () => {
  it("counts a text by its bytes", () => {
    expect(codexEstimator.text("")).toBe(0);
    expect(codexEstimator.text("abcde")).toBe(2);
    expect(codexEstimator.text("梨梨")).toBe(2);
  });

  it("counts another agent's message as the item that it would be", () => {
    const message = messageOf("user", "typed", blockOf("text", "hello world"));
    expect(codexEstimator.blocks(message, contentsOf(message), "claude-code")).toEqual([22]);
  });

  it("shares an item out over its blocks, to the token", () => {
    const message = messageOf("user", "typed", blockOf("text", "a".repeat(90)), blockOf("text", "b".repeat(10)));
    const tokens = codexEstimator.blocks(message, contentsOf(message), "claude-code");
    const whole = {
      type: "message",
      role: "user",
      content: [
        { type: "input_text", text: "a".repeat(90) },
        { type: "input_text", text: "b".repeat(10) },
      ],
    };
    expect(sum(tokens)).toBe(itemTokens(whole, "as-documented"));
    expect(tokens[0]).toBeGreaterThan(tokens[1] ?? 0);
  });

  it("counts every call and result of a response by itself", () => {
    const message = messageOf(
      "assistant",
      "response",
      blockOf("thinking", "hm"),
      blockOf("text", "I look."),
      blockOf("tool_call", '{"path":"a"}', { callId: "c1", tool: "read" }),
      blockOf("tool_call", '{"path":"b"}', { callId: "c2", tool: "read" }),
    );
    expect(toNative(message, contentsOf(message)).map(({ item, blocks }) => [item.type, blocks])).toEqual([
      ["reasoning", [0]],
      ["message", [1]],
      ["function_call", [2]],
      ["function_call", [3]],
    ]);
  });

  it("joins the parts of one result, and parts two results", () => {
    const message = messageOf(
      "user",
      "tool",
      blockOf("tool_result", "one", { callId: "c1" }),
      blockOf("image", "AAAA", { callId: "c1" }),
      blockOf("tool_result", "two", { callId: "c2" }),
    );
    const items = toNative(message, contentsOf(message)).map(({ item }) => item.output);
    expect(items).toEqual([
      [
        { type: "input_text", text: "one" },
        { type: "input_image", image_url: "data:image/png;base64,AAAA" },
      ],
      "two",
    ]);
  });

  it("measures its own record as it is: hidden reasoning by its encrypted size, presets apart", () => {
    const payload = { type: "reasoning", summary: [], content: null, encrypted_content: "a".repeat(899) };
    const message = messageOf("assistant", "response", blockOf("thinking", ""));
    const contents = [{ text: "", record: { type: "response_item", payload } }];
    expect(codexEstimator.blocks(message, contents, "codex")).toEqual([6]);
    expect(codexEstimatorOf("release-2026-01").blocks(message, contents, "codex")).toEqual([6]);
    const odd = { ...payload, encrypted_content: "a".repeat(903) };
    const oddContents = [{ text: "", record: { type: "response_item", payload: odd } }];
    expect(codexEstimator.blocks(message, oddContents, "codex")).toEqual([6]);
    expect(codexEstimatorOf("release-2026-01").blocks(message, oddContents, "codex")).toEqual([7]);
  });

  it("finds the item of a replacement history that a message came from", () => {
    const record = {
      type: "compacted",
      payload: { message: "", replacement_history: [userMessage("first"), userMessage("the second one, longer")] },
    };
    const message = messageOf("user", "typed", blockOf("text", "the second one, longer", { part: 1 }));
    const tokens = codexEstimator.blocks(message, [{ text: "the second one, longer", record }], "codex");
    expect(tokens).toEqual([itemTokens(userMessage("the second one, longer"), "as-documented")]);
  });
});

describe("codex measures", () => {
  it("are the bytes within JSON, and whether a compaction keeps the message", () => {
    const typed = messageOf("user", "typed", blockOf("text", 'a\n"梨"'));
    expect(codexMeasures(typed, contentsOf(typed), "pi")).toEqual({ "codex.jsonBytes": [10], "codex.retained": [3] });
    const reminder = messageOf("user", "context", blockOf("text", "reminder"));
    expect(codexMeasures(reminder, contentsOf(reminder), "pi")["codex.retained"]).toEqual([0]);
  });

  it("know the marker of an aborted turn, which local compaction keeps", () => {
    const text = "<turn_aborted>\nThe user interrupted.\n</turn_aborted>";
    const message = messageOf("user", "context", blockOf("text", text));
    const record = { type: "response_item", payload: userMessage(text) };
    expect(codexMeasures(message, [{ text, record }], "codex")["codex.retained"]).toEqual([1]);
  });
});
