import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sumOf } from "@/lib/core/base/numbers";
import type { Message } from "@/lib/core/transcript/model";
import { arbitraryMessage, blockOf, contentsOf, messageOf } from "@/verify/support/messages";
import { CUT } from "./base/constants";
import { piEstimator, piEstimatorOf, piMeasures } from "./estimator";

const older = () => piEstimatorOf("v0.51.0");
const shares = (message: Message, rule = piEstimator, format = "claude-code", record = {}) =>
  rule.blocks(message, contentsOf(message, record), format);
const image = (callId?: string) => blockOf("image", "AAAA", callId === undefined ? {} : { callId });

/** The units that the rule counts in another agent's block. A picture alone counts as a typed one. Source: README.md, "Message sizes". */
function charsOf({ origin, blocks }: Message, index: number, images: number): number {
  const { kind, text, tool = "" } = blocks[index] ?? blockOf("text", "");
  const value = text.value ?? "";
  if (kind === "image") return origin === "context" ? 4800 : images;
  if (kind !== "tool_call") return value.length;
  // Arguments must be an object: a free text becomes its only field.
  const isObject = value.startsWith("{") && value.endsWith("}");
  return tool.length + (isObject ? value : JSON.stringify({ input: value })).length;
}

it("the estimator measures an unsent response by pi's rule", () => {
  const content = [
    { type: "text", text: "12345678" },
    { type: "text", text: "1" },
  ];
  const message = messageOf("assistant", "response", blockOf("text", "12345678"), blockOf("text", "1"));
  const unsent = (stopReason: string) => {
    const record = { type: "message", message: { role: "assistant", stopReason, content } };
    return piMeasures(message, contentsOf(message, record), "pi")["pi.unsent"];
  };
  expect(unsent("stop")).toEqual([0, 0]);
  expect(["aborted", "error"].map(unsent)).toEqual([
    [4, 1],
    [4, 1],
  ]);
});

describe("the token rule", () => {
  it("counts messages of pi and nothing else", () => {
    const { id, text, message } = older();
    expect([id, text("12345"), text("会话")]).toEqual(["pi", 2, 1]);
    const picture = { role: "user", content: [{ type: "image", data: "AAAA" }] };
    expect([message?.(picture), piEstimatorOf("current").message?.(picture)]).toEqual([0, 1200]);
    expect(message?.({ role: "bashExecution", command: "ls", output: "123" })).toBe(2);
    for (const none of [{ content: "a" }, { role: 7 }, "text", null]) expect(message?.(none)).toBeUndefined();
  });

  it("counts a call by its name and arguments", () => {
    const response = (name?: string) =>
      messageOf(
        "assistant",
        "response",
        blockOf("text", "12345678"),
        blockOf("tool_call", '{"a":1}', name === undefined ? {} : { tool: name }),
      );
    expect(shares(response("bash"))).toEqual([2, 3]); // 8 and 11 of 19 units.
    expect(shares(response())).toEqual([2, 2]); // 8 and 7 of 15 units.
  });

  it("counts a result by its text and the images after it", () => {
    const message = messageOf(
      "user",
      "tool",
      blockOf("tool_result", "12345678", { callId: "c1", tool: "a-tool-of-a-long-name".repeat(20) }),
      image("c1"),
      blockOf("tool_result", "1", { callId: "c2" }),
    );
    expect(shares(message)).toEqual([2, 1200, 1]);
    expect(shares(message, older())).toEqual([2, 1200, 1]);
  });

  it("counts a typed image only since 0.52, but always an extension's image", () => {
    const blocks = [blockOf("text", "12345678"), image()];
    expect(shares(messageOf("user", "typed", ...blocks))).toEqual([2, 1200]);
    expect(shares(messageOf("user", "typed", ...blocks), older())).toEqual([2, 0]);
    expect(shares(messageOf("user", "context", ...blocks), older())).toEqual([2, 1200]);
    expect(shares(messageOf("assistant", "response", ...blocks))).toEqual([2, 0]);
  });

  it("omits the prompt in a recorded compaction", () => {
    const record = { type: "compaction", summary: "1234567", systemMessage: { content: "x".repeat(400) } };
    const message = messageOf("user", "summary", blockOf("text", "<summary>1234567</summary>"));
    expect(shares(message, piEstimator, "pi", record)).toEqual([2]);
  });

  it.each(["current", "v0.51.0"] as const)("rounds up once for each message: %s", (preset) => {
    fc.assert(
      fc.property(arbitraryMessage, ({ message, contents, format }) => {
        const chars = message.blocks.map((_, index) => charsOf(message, index, preset === "current" ? 4800 : 0));
        // A result is a message of its own, and so are pictures, which here never belong to the call before them.
        const ofResults = message.origin === "tool";
        const groups = message.blocks.map(({ kind }, at) => {
          const alone = ofResults && (kind === "tool_result" || message.blocks[at - 1]?.kind === "tool_result");
          return alone || at === 0;
        });
        const totals: number[] = [];
        groups.forEach((starts, at) => {
          if (starts) totals.push(0);
          totals[totals.length - 1] = (totals.at(-1) ?? 0) + (chars[at] ?? 0);
        });
        const tokens = piEstimatorOf(preset).blocks(message, contents, format);
        expect(sumOf(tokens)).toBe(sumOf(totals.map((total) => Math.ceil(total / 4))));
      }),
    );
  });
});

describe("measures", () => {
  const cutsOf = (message: Message, record?: Readonly<Record<string, unknown>>) =>
    piMeasures(message, contentsOf(message, record), record === undefined ? "claude-code" : "pi")["pi.cut"];
  const one = (origin: Message["origin"]) => messageOf("user", origin, blockOf("text", "a"), blockOf("text", "b"));

  it("report the kind of message that begins at a block of another agent", () => {
    expect(cutsOf(one("typed"))).toEqual([CUT.TURN, CUT.INSIDE]);
    expect(cutsOf(one("response"))).toEqual([CUT.RESPONSE, CUT.INSIDE]);
    expect(cutsOf(one("summary"))).toEqual([CUT.MESSAGE, CUT.INSIDE]);
    expect(cutsOf(one("context"))).toEqual([CUT.ENTRY, CUT.INSIDE]);
    const [first, second] = [blockOf("tool_result", "a", { callId: "c1" }), blockOf("tool_result", "b")];
    expect(cutsOf(messageOf("user", "tool", first, image("c1"), second))).toEqual([CUT.RESULT, CUT.INSIDE, CUT.RESULT]);
  });

  it.each([
    [{ type: "custom_message", content: "a" }, CUT.ENTRY],
    [{ type: "message", message: { role: "hookMessage", content: "a" } }, CUT.MESSAGE],
    [{ type: "branch_summary", summary: "a" }, CUT.ENTRY],
    [{ type: "compaction", summary: "a" }, CUT.MESSAGE],
    [{ type: "message", message: { role: "bashExecution", command: "a", output: "b" } }, CUT.TURN],
    [{ type: "message", message: { role: "toolResult", toolCallId: "c1", content: [] } }, CUT.RESULT],
  ])("report the kind of message that begins with the record %j", (record, cut) => {
    expect(cutsOf(one("context"), record)).toEqual([cut, CUT.INSIDE]);
  });

  it("report the length of the file paths that a summary lists", () => {
    const call = (tool: string, args: unknown) => ({ ...blockOf("tool_call", JSON.stringify(args), { tool }) });
    const message = messageOf(
      "assistant",
      "response",
      blockOf("text", "abc"),
      call("read", { path: "a.ts" }),
      call("edit", { path: "ab.ts" }),
      call("bash", { command: "cat a.ts" }),
      call("Read", { path: "a.ts" }),
      call("read", { file_path: "a.ts" }),
    );
    expect(piMeasures(message, contentsOf(message), "claude-code")["pi.fileChars"]).toEqual([0, 4, -5, 0, 0, 0]);
  });

  it("report the size of a result within the limits of pi's tools", () => {
    const line = "x".repeat(60_000);
    const message = messageOf(
      "user",
      "tool",
      blockOf("tool_result", "会\n", { tool: "read" }),
      blockOf("tool_result", `a\n${line}`, { tool: "read" }),
      blockOf("tool_result", line, { tool: "bash" }),
      image(),
      blockOf("text", "abc"),
    );
    expect(piMeasures(message, contentsOf(message), "claude-code")["pi.outputChars"]).toEqual([2, 1, 51_200, -1, -1]);
  });
});
