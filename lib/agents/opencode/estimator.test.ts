import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sumOf } from "@/lib/core/base/numbers";
import type { Message } from "@/lib/core/transcript/model";
import { arbitraryMessage, blockOf, contentsOf, messageOf } from "@/verify/support/messages";
import { opencodeEstimator, opencodeMeasures } from "./estimator";
import { nativeMessage } from "./messages/native";

const size = (value: unknown) => JSON.stringify(value).length;
const measured = (message: Message, format = "pi", record = {}) =>
  opencodeMeasures(message, contentsOf(message, record), format);

const call = blockOf("tool_call", '{"path":"a"}', { callId: "c1", tool: "read" });
const result = blockOf("tool_result", 'one\n"two"', { callId: "c1", tool: "read" });
const picture = blockOf("image", "AAAA", { callId: "c1" });

describe("the token rule", () => {
  it("counts a quarter of a text's or a message's JSON units, with halves rounded up", () => {
    const { id, text, message } = opencodeEstimator;
    expect([id, text("a"), text("ab"), text("会话会话会")]).toEqual(["opencode", 0, 1, 1]);
    expect(message?.({ role: "user", content: "12345" })).toBe(8); // 33 units.
    for (const other of [{ role: "user" }, { content: "a" }, "text", null]) expect(message?.(other)).toBeUndefined();
  });

  it("rounds once per message, and divides the tokens by the JSON of the parts", () => {
    fc.assert(
      fc.property(arbitraryMessage, ({ message, contents, format }) => {
        const native = nativeMessage(message, contents, format);
        const tokens = opencodeEstimator.blocks(message, contents, format);
        expect(sumOf(tokens)).toBe(Math.round(size(native) / 4));
        tokens.forEach((share, index) => {
          // The first block takes the message's own JSON, every other block a comma.
          const own = size(native.content[index]) + (index === 0 ? size({ ...native, content: [] }) : 1);
          expect(Math.abs(share - own / 4)).toBeLessThan(2);
        });
      }),
    );
  });

  it("counts its own record with the fields that only opencode has", () => {
    const metadata = { openai: { itemId: "item-0123456789" } };
    const record = { info: { role: "assistant" }, parts: [{ type: "text", text: "Done.", metadata }] };
    const message = messageOf("assistant", "response", blockOf("text", "Done."));
    const content = [{ type: "text", text: "Done.", providerOptions: metadata }];
    const contents = contentsOf(message, record);
    expect(opencodeEstimator.blocks(message, contents, "opencode")).toEqual([
      Math.round(size({ role: "assistant", content }) / 4),
    ]);
    expect(opencodeMeasures(message, contents, "opencode")["opencode.json"]).toEqual([
      size({ role: "assistant", content }),
    ]);
  });
});

describe("opencodeMeasures", () => {
  it("gives the remaining size of a cleared output, and 0 for its media", () => {
    const measures = measured(messageOf("user", "tool", result, picture));
    const part = { type: "tool-result", toolCallId: "c1", toolName: "read" };
    const chars = (value: string) => size({ role: "tool", content: [{ ...part, output: { type: "text", value } }] });
    const file = size({ type: "file", mediaType: "image/png", data: "AAAA" }) + 1;
    expect(measures["opencode.json"]).toEqual([chars('one\n"two"'), file]);
    expect(measures["opencode.cleared"]).toEqual([chars("[Old tool result content cleared]"), 0]);
  });

  it("gives other blocks the same size before and after clearing", () => {
    const typed = measured(messageOf("user", "typed", blockOf("text", "Look."), blockOf("image", "AAAA")));
    expect(typed["opencode.cleared"]).toEqual(typed["opencode.json"]);
    const response = measured(messageOf("assistant", "response", blockOf("thinking", "Hm."), call));
    expect(response["opencode.cleared"]).toEqual(response["opencode.json"]);
  });

  it("sums to the JSON of the message with and without its outputs", () => {
    fc.assert(
      fc.property(arbitraryMessage, ({ message, contents, format }) => {
        const native = nativeMessage(message, contents, format);
        const measures = opencodeMeasures(message, contents, format);
        expect(sumOf(measures["opencode.json"])).toBe(size(native));
        // Items dropped with an output come after it.
        fc.pre(message.origin !== "tool" || message.blocks[0]?.kind === "tool_result");
        const content = native.content
          .filter(({ type }) => message.origin !== "tool" || type !== "file")
          .map((part) =>
            part.type === "tool-result"
              ? { ...part, output: { type: "text", value: "[Old tool result content cleared]" } }
              : part,
          );
        expect(sumOf(measures["opencode.cleared"])).toBe(size({ ...native, content }));
      }),
    );
  });

  it.each([
    ["typed", "pi", {}, 1],
    ["typed", "opencode", {}, 1],
    ["context", "opencode", {}, 1],
    ["context", "pi", {}, 0],
    // The question that stands for a recorded compaction.
    ["context", "opencode", { recordedOnly: true }, 0],
    ["tool", "opencode", {}, 0],
    ["response", "opencode", {}, 0],
    ["summary", "opencode", {}, 0],
  ] as const)("marks a %s message from %s with %j as the start of a turn: %i", (origin, format, more, turn) => {
    const message = { ...messageOf("user", origin, blockOf("text", "a"), blockOf("text", "b")), ...more };
    expect(measured(message, format)["opencode.turn"]).toEqual([turn, turn]);
  });

  it("gives the size of the error message sent for a call without a result", () => {
    // `{"role":"tool","content":[…]}` with the call's id and name, `error-text` and the sentence of 32 characters.
    const open = [blockOf("tool_call", "{}", { callId: "c1", tool: "bash" }), blockOf("tool_call", "{}"), result];
    expect(measured(messageOf("assistant", "response", ...open))["opencode.interrupted"]).toEqual([160, 0, 0]);
  });

  it("counts the context panel's characters: texts, and 16 per argument of a call", () => {
    const kinds = [blockOf("text", "four"), blockOf("thinking", "hm"), blockOf("image", "AAAA"), call, result];
    expect(measured(messageOf("assistant", "response", ...kinds))["opencode.panel"]).toEqual([4, 2, 0, 16, 9]);
    const argumentsOf = (text: string) =>
      measured(messageOf("assistant", "response", blockOf("tool_call", text)))["opencode.panel"];
    expect(argumentsOf('{"a":{"c":1,"d":2},"b":2}')).toEqual([32]);
    for (const none of ["{}", "[1,2]", '"text"', "null", "no JSON", ""]) expect(argumentsOf(none)).toEqual([0]);
  });
});
