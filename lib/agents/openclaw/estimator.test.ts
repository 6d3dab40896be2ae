import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sumOf } from "@/lib/core/base/numbers";
import type { Message } from "@/lib/core/transcript/model";
import { arbitraryMessage, blockOf, contentsOf, messageOf } from "@/verify/support/messages";
import { CUT } from "./base/constants";
import { openClawEstimator, openClawEstimatorOf, openClawMeasures } from "./estimator";
import { messageOfEntry } from "./messages/entry";
import { nativeEntries } from "./messages/native";
import { messagePressure } from "./sent/pressure";

const current = () => openClawEstimatorOf("current");
const older = () => openClawEstimatorOf("as-documented");
const tokensOf = (message: Message, estimator = openClawEstimator, format = "pi", record = {}) =>
  estimator.blocks(message, contentsOf(message, record), format);
const image = (callId?: string) => blockOf("image", "AAAA", callId === undefined ? {} : { callId });

describe("the token rule", () => {
  it("counts UTF-16 units, and weighs Chinese more in the newer release", () => {
    expect([openClawEstimator.text(""), openClawEstimator.text("abcde"), openClawEstimator.text("备份")]).toEqual([
      0, 2, 1,
    ]);
    expect([current().text(""), current().text("abcde"), current().text("备份")]).toEqual([0, 2, 2]);
  });

  it("counts any message with a known role, and rejects other values", () => {
    const picture = { role: "user", content: [{ type: "image", data: "AAAA" }] };
    expect(current().id).toBe("openclaw");
    expect([older().message?.(picture), current().message?.(picture)]).toEqual([0, 2014]);
    for (const none of [{ content: "no role" }, { role: 7 }, "text", null]) {
      expect(current().message?.(none)).toBeUndefined();
    }
  });

  it("rounds once per message, and divides its tokens among its blocks", () => {
    const response = messageOf(
      "assistant",
      "response",
      blockOf("thinking", "hm"),
      blockOf("text", "I look."),
      blockOf("tool_call", '{"path":"a"}', { callId: "c1", tool: "read" }),
    );
    const tokens = tokensOf(response);
    expect(sumOf(tokens)).toBe(Math.ceil((2 + 7 + 4 + 12) / 4));
    expect(tokens).toEqual([1, 2, 4]);
  });

  it("counts every result with its images separately", () => {
    const results = messageOf(
      "user",
      "tool",
      blockOf("tool_result", "12345", { callId: "c1" }),
      blockOf("image", "AAAA", { callId: "c1" }),
      blockOf("tool_result", "1", { callId: "c2" }),
    );
    expect(nativeEntries(results, contentsOf(results), "chat").map(({ blocks }) => blocks)).toEqual([[0, 1], [2]]);
    expect(tokensOf(results)).toEqual([2, 1200, 1]);
    expect(tokensOf(results, current())).toEqual([2, (8000 + 56) / 4, 1]);
  });

  it("gives Chinese a larger weight in the newer release, also in a call's name", () => {
    // 8 units and 2 Chinese characters, which count as 8 chars in the newer release.
    const response = (name?: string) =>
      messageOf(
        "assistant",
        "response",
        blockOf("text", "12345678"),
        blockOf("tool_call", "{}", name === undefined ? {} : { tool: name }),
      );
    expect(tokensOf(response("备份"), older())).toEqual([2, 1]); // 8 and 4 of 12 chars.
    expect(tokensOf(response("备份"), current())).toEqual([2, 3]); // 8 and 10 of 18 chars.
    expect(tokensOf(response())).toEqual([2, 1]); // 8 and 2 of 10 chars.
    // The name of a result does not count.
    const result = blockOf("tool_result", "12345678", { callId: "c1", tool: "a-long-name".repeat(200) });
    expect(tokensOf(messageOf("user", "tool", result, image("c1")))).toEqual([2, 1200]);
  });

  it("counts a typed image only in the newer release, but always an extension's image", () => {
    const blocks = [blockOf("text", "12345678"), image()];
    expect(tokensOf(messageOf("user", "typed", ...blocks), older())).toEqual([2, 0]);
    expect(tokensOf(messageOf("user", "context", ...blocks), older())).toEqual([2, 1200]);
    // An image in a response counts in neither release.
    const response = messageOf("assistant", "response", ...blocks);
    expect([tokensOf(response, older()), tokensOf(response, current())]).toEqual([
      [2, 0],
      [2, 0],
    ]);
    // Including 56 chars for the note that it was left out of the summary's input.
    expect(tokensOf(messageOf("user", "typed", ...blocks), current())).toEqual([2, 2014]);
  });

  it("counts an entry that is not sent as 0", () => {
    const text = messageOf("user", "context", blockOf("text", "12345678"));
    const run = { role: "bashExecution", command: "1234", output: "5678", excludeFromContext: true };
    const record = { type: "message", message: run };
    expect(tokensOf(text, older(), "openclaw", record)).toEqual([2]);
    expect(tokensOf(text, current(), "openclaw", record)).toEqual([0]);
    expect(tokensOf(text, older(), "openclaw", { type: "label" })).toEqual([0]);
  });

  it("counts its own record as written", () => {
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

  it("report the kind of message that begins at a block", () => {
    expect(cutsOf(messageOf("user", "typed", blockOf("text", "a"), blockOf("text", "b")))).toEqual([
      CUT.TURN,
      CUT.INSIDE,
    ]);
    expect(cutsOf(messageOf("assistant", "response", blockOf("text", "a")))).toEqual([CUT.RESPONSE]);
    expect(cutsOf(messageOf("user", "context", blockOf("text", "a")))).toEqual([CUT.ENTRY]);
    const two = messageOf("user", "tool", blockOf("tool_result", "a"), blockOf("tool_result", "b"));
    expect(cutsOf(two)).toEqual([CUT.RESULT, CUT.RESULT]);
    const summary = messageOf("user", "summary", blockOf("text", "a"));
    expect(cutsOf(summary)).toEqual([CUT.MESSAGE]);
    expect(cutsOf(messageOf("user", "tool", two.blocks[0] ?? image(), image()))).toEqual([CUT.RESULT, CUT.INSIDE]);
  });

  it.each([
    [{ type: "custom_message", content: "a", details: { runtimeContextCarrier: false } }, CUT.ENTRY],
    [{ type: "branch_summary", summary: "a" }, CUT.ENTRY],
    [{ type: "message", message: { role: "bashExecution", command: "a", output: "b" } }, CUT.TURN],
    [{ type: "message", message: { role: "toolResult", content: [] } }, CUT.RESULT],
    [{ type: "message", message: { role: "custom", content: "a" } }, CUT.MESSAGE],
    [{ type: "compaction", summary: "a" }, CUT.MESSAGE],
  ])("report the kind of message that begins with the record %j", (record, cut) => {
    expect(cutsOf(messageOf("user", "context", blockOf("text", "a"), blockOf("text", "b")), record)).toEqual([
      cut,
      CUT.INSIDE,
    ]);
  });

  it("recognise messages that the runtime inserts, and heartbeat prompts", () => {
    const carrier = { type: "custom_message", content: "a", details: { runtimeContextCarrier: true } };
    expect(cutsOf(messageOf("user", "context", blockOf("text", "a")), carrier)).toEqual([CUT.CARRIER]);
    const heartbeat = { type: "message", message: { role: "user", content: "a" } };
    expect(cutsOf(messageOf("user", "context", blockOf("text", "a")), heartbeat)).toEqual([CUT.TURN]);
  });

  it("report the weight of texts, and their cost within a prompt", () => {
    const result = messageOf("user", "tool", blockOf("tool_result", "备份".repeat(10), { tool: "exec" }));
    const measures = openClawMeasures(result, contentsOf(result), "pi");
    expect(measures["openclaw.weightedChars"]).toEqual([80]);
    expect(measures["openclaw.givenChars"]).toEqual([20]);
    expect(measures["openclaw.givenWeighted"]).toEqual([80]);
    // 12 for the message, 6 for each block, the text, and the tool's name at three chars for a token.
    expect(measures["openclaw.pressure"]).toEqual([12 + 6 + 20 + 2]);
  });

  it("count only reasoning text that is in the file", () => {
    const thinking = { ...blockOf("thinking", "abc"), text: { chars: 900, bytes: 900 } };
    const response = messageOf("assistant", "response", thinking, blockOf("text", "abcd"));
    const contents = ["abc", "abcd"].map((text) => ({ record: {}, text }));
    expect(openClawMeasures(response, contents, "codex")["openclaw.givenChars"]).toEqual([3, 0]);
  });

  it("count each block's text separately, and no image as text", () => {
    const blocks = [blockOf("tool_result", "备份", { callId: "c1" }), image("c1"), blockOf("text", "abc")];
    const message = messageOf("user", "tool", ...blocks);
    expect(openClawMeasures(message, contentsOf(message), "pi")["openclaw.weightedChars"]).toEqual([8, 0, 3]);
  });

  it("report the part of a result that a limit can cut", () => {
    const content = [
      { type: "text", text: "ab" },
      { type: "text", text: "cde" },
      { type: "image", data: "AAAA" },
      { type: "tool_result", content: "nested" },
    ];
    const record = { type: "message", message: { role: "toolResult", toolCallId: "c1", content } };
    const result = messageOf("user", "tool", blockOf("tool_result", "abcdenested", { callId: "c1" }), image("c1"));
    const measures = openClawMeasures(result, contentsOf(result, record), "openclaw");
    expect(measures["openclaw.weightedChars"]).toEqual([5, 0]);
    expect(measures["openclaw.givenWeighted"]).toEqual([5, 0]);
    // The text within, and a line end before every text but the first.
    expect(measures["openclaw.uncutChars"]).toEqual([6 + 2, 0]);
    // Two texts and the words for an image, with line ends between them.
    expect(measures["openclaw.markerChars"]).toEqual([38 + 2, 0]);
    const tokens = tokensOf(result, current(), "openclaw", record);
    expect(tokens).toEqual([Math.ceil((5 + 6 + 2) / 4), (8000 + 56) / 4]);
  });

  it("report the end of each block's record in the file", () => {
    const [first, second] = [blockOf("text", "a"), blockOf("text", "b")];
    const message = messageOf(
      "user",
      "typed",
      { ...first, source: { ...first.source, offset: 100, length: 30 } },
      { ...second, source: { ...second.source, offset: 131, length: 7 } },
    );
    expect(openClawMeasures(message, contentsOf(message), "pi")["openclaw.fileEnd"]).toEqual([130, 138]);
  });

  it("divide a message's pressure among its blocks by the newer release's weights", () => {
    const message = messageOf(
      "assistant",
      "response",
      blockOf("text", "备份".repeat(10)),
      blockOf("tool_call", '{"a":1}', { tool: "read" }),
    );
    // 12 for the message, 6 for each block; 80 chars of text at four; the name's 4 and 7 of JSON at three.
    const whole = 12 + (6 + 20) + (6 + 2 + 3);
    const pressure = openClawMeasures(message, contentsOf(message), "pi")["openclaw.pressure"];
    expect(pressure).toEqual([Math.round((whole * 80) / 91), Math.round((whole * 11) / 91)]);
    // 2,000 for each picture, from any sender; the message's 12, the block's 6 and the text of 8 are added, shared out by 8 of 8,008 chars.
    const shown = messageOf("assistant", "response", blockOf("text", "12345678"), image());
    expect(openClawMeasures(shown, contentsOf(shown), "pi")["openclaw.pressure"]).toEqual([2, 2000 + 12 + 6 + 2 - 2]);
  });

  it("sum to the rule's size of any message", () => {
    fc.assert(
      fc.property(arbitraryMessage, ({ message, contents, format }) => {
        const messages = nativeEntries(message, contents, "chat").map(
          ({ entry }) => messageOfEntry(entry, "current") ?? {},
        );
        const { "openclaw.pressure": pressure, "openclaw.cut": cut } = openClawMeasures(message, contents, format);
        expect(sumOf(pressure)).toBe(sumOf(messages.map(messagePressure)));
        expect(cut.filter((value) => value !== CUT.INSIDE)).toHaveLength(messages.length);
      }),
    );
  });
});
