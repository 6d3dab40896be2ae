import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sumOf } from "@/lib/core/base/numbers";
import type { Block, Message } from "@/lib/core/transcript/model";
import { arbitraryMessage, blockOf, contentsOf, messageOf } from "@/verify/support/messages";
import { QWEN_CODE_PRESETS } from "./base/presets";
import { qwenCodeContentEstimator, qwenCodeEstimator, qwenCodeMeasures } from "./estimator";
import { contentTokens, contextTextTokens } from "./messages/estimates";
import { PART } from "./policy/measures";
import { nativeMessage } from "./read/native";
import { BILLED } from "./report/conversation-sizes";
import { enteredText } from "./sent/entry-limits";

type Json = Readonly<Record<string, unknown>>;

/** A message as the reader would deliver it. */
function ownMessage(record: Json, kinds: readonly Block["kind"][], tool?: string): Message {
  const blocks = kinds.map((kind, part) => blockOf(kind, "", { part, ...(tool === undefined ? {} : { tool }) }));
  return record.type === "assistant"
    ? messageOf("assistant", "response", ...blocks)
    : messageOf("user", "tool", ...blocks);
}

const IMAGE = { inlineData: { mimeType: "image/png", data: "aGVsbG8=" } };
const response = {
  type: "tool_result",
  message: {
    role: "user",
    parts: [
      {
        functionResponse: {
          id: "1",
          name: "read_file",
          response: { output: "中文 text" },
          parts: [IMAGE, { text: "标" }],
        },
      },
    ],
  },
};
const ownContents = (record: Json, count: number) => Array.from({ length: count }, () => ({ record, text: "" }));

describe("the /context rule", () => {
  it("counts a response by its JSON without nested parts, and nested parts separately", () => {
    const json = '{"id":"1","name":"read_file","response":{"output":"中文 text"}}';
    const message = ownMessage(response, ["tool_result", "image", "tool_result"]);
    expect(qwenCodeEstimator.blocks(message, ownContents(response, 3), "qwen-code")).toEqual([
      contextTextTokens(json),
      1600,
      2,
    ]);
  });

  it("counts contents and nothing else", () => {
    expect(qwenCodeEstimator.id).toBe("qwen-code");
    const parts = [IMAGE, { text: "abcde" }, { functionCall: { id: "1", name: "glob", args: {} } }, { text: "中" }];
    const call = '{"id":"1","name":"glob","args":{}}'.length;
    expect(qwenCodeEstimator.message?.({ role: "user", parts })).toBe(1600 + 2 + Math.ceil(call / 4) + 2);
    for (const none of [{ role: "user" }, { parts: "text" }, "text", null]) {
      expect(qwenCodeEstimator.message?.(none)).toBeUndefined();
      expect(qwenCodeContentEstimator.message?.(none)).toBeUndefined();
    }
  });

  it("counts another agent's message part by part, in Qwen Code's format", () => {
    const args = '{"file_path":"a.ts"}';
    const response = messageOf(
      "assistant",
      "response",
      blockOf("thinking", "中"),
      blockOf("text", "abcde"),
      blockOf("tool_call", args, { callId: "c1", tool: "Read" }),
    );
    const call = `{"id":"c1","name":"read_file","args":${args}}`;
    expect(qwenCodeEstimator.blocks(response, contentsOf(response), "pi")).toEqual([2, 2, Math.ceil(call.length / 4)]);
    const results = messageOf(
      "user",
      "tool",
      blockOf("tool_result", "abc", { callId: "c1", tool: "Read", isError: true }),
      blockOf("image", "AAAA", { callId: "c1" }),
      blockOf("image", "AAAA"),
    );
    const json = '{"id":"c1","name":"read_file","response":{"error":"abc"}}';
    expect(qwenCodeEstimator.blocks(results, contentsOf(results), "pi")).toEqual([
      Math.ceil(json.length / 4),
      1600,
      1600,
    ]);
  });

  it("gives any message the size of its content, under both rules", () => {
    fc.assert(
      fc.property(arbitraryMessage, ({ message, contents, format }) => {
        const { content } = nativeMessage(message, contents, format);
        for (const rule of [qwenCodeEstimator, qwenCodeContentEstimator]) {
          const tokens = rule.blocks(message, contents, format);
          expect(tokens).toHaveLength(message.blocks.length);
          expect(sumOf(tokens)).toBe(rule.message?.(content));
        }
      }),
    );
  });

  it("does not count parts of other kinds", () => {
    const record = { type: "assistant", message: { role: "model", parts: [{ executableCode: { code: "1" } }] } };
    expect(qwenCodeEstimator.blocks(ownMessage(record, ["text"]), ownContents(record, 1), "qwen-code")).toEqual([0]);
  });

  it.each([
    ["", 0],
    ["abcde", 2],
    ["\u007f", 1],
    ["\u0080", 2],
    ["😀", 3],
    ["👨‍👩‍👧‍👦", 17],
    ["登录 bug", 4],
  ])("counts %j as %d tokens", (text, tokens) => {
    expect(qwenCodeEstimator.text(text)).toBe(tokens);
  });

  it("weighs an ASCII unit as a quarter and any other unit as one and a half tokens", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const ascii = text.replace(/[^\0-\x7f]/g, "").length;
        expect(contextTextTokens(text)).toBe(Math.ceil((ascii + 6 * (text.length - ascii)) / 4));
      }),
    );
  });
});

describe("the compaction rule", () => {
  it("divides the tokens of a content among its blocks", () => {
    const message = ownMessage(response, ["tool_result", "image", "tool_result"]);
    const shares = qwenCodeContentEstimator.blocks(message, ownContents(response, 3), "qwen-code");
    const { content } = nativeMessage(message, ownContents(response, 3), "qwen-code");
    expect(sumOf(shares)).toBe(contentTokens([content]));
    expect(shares).toEqual([18, 1600, 0]);
  });

  it("assigns a part with only one block entirely to that block", () => {
    // A part with a text is a text: nothing else in it counts.
    const odd = { text: "12345678", functionResponse: { id: "1", name: "glob", parts: [{ text: "1234" }] } };
    const record = { type: "user", message: { role: "user", parts: [odd, { text: "12345678" }] } };
    const message = ownMessage(record, ["text", "text"]);
    expect(qwenCodeContentEstimator.blocks(message, ownContents(record, 2), "qwen-code")).toEqual([2, 2]);
  });

  it("does not weigh Chinese more", () => {
    expect(qwenCodeContentEstimator.id).toBe("qwen-code-content");
    expect(qwenCodeContentEstimator.text("登录登录")).toBe(1);
  });
});

describe("measures", () => {
  const measures = (record: Json, kinds: readonly Block["kind"][], tool?: string) =>
    qwenCodeMeasures(ownMessage(record, kinds, tool), ownContents(record, kinds.length), "qwen-code");

  it("report the content of a result", () => {
    expect(measures(response, ["tool_result", "image", "tool_result"])).toEqual({
      "qwen-code.jsonChars": [JSON.stringify(response.message).length, 0, 0],
      "qwen-code.enteredJsonChars": [JSON.stringify(response.message).length, 0, 0],
      "qwen-code.outputChars": [7, 0, 0],
      "qwen-code.fileChars": [8, 0, 0],
      "qwen-code.part": [PART.CLEARABLE | PART.OWN, PART.WITHIN | PART.PICTURE, PART.WITHIN],
      "qwen-code.entered": [0, 0, 0],
      "qwen-code.enteredCurrent": [0, 0, 0],
      "qwen-code.billed": [BILLED.CONVERSATION, BILLED.CONVERSATION, BILLED.CONVERSATION],
      "qwen-code.callChars": [0, 0, 0],
      "qwen-code.fence": [3, 0, 0],
    });
  });

  it.each(QWEN_CODE_PRESETS)("include 25,000 characters of a read file and a note: %s", (preset) => {
    expect(enteredText("read_file", "x".repeat(25_000), preset)).toHaveLength(25_000);
    expect(enteredText("read_file", "x".repeat(60_000), preset)).toBe(`${"x".repeat(25_000)}... [truncated]`);
  });

  it("report the length of a content's JSON after a long output is cut on entry", () => {
    const output = '"so"\n'.repeat(6000);
    const message = (text: string) => ({
      role: "user",
      parts: [{ functionResponse: { id: "1", name: "run_shell_command", response: { output: text } } }],
    });
    const record = { type: "tool_result", message: message(output) };
    const entered = enteredText("run_shell_command", output, "as-documented");
    expect(entered.length).toBeLessThan(output.length / 2);
    expect(measures(record, ["tool_result"], "run_shell_command")).toMatchObject({
      "qwen-code.jsonChars": [JSON.stringify(message(output)).length],
      "qwen-code.enteredJsonChars": [JSON.stringify(message(entered)).length],
    });
  });

  it("report the parts that `/context` counts outside the conversation", () => {
    const billed = (parts: readonly object[], kind: Block["kind"], tool?: string) =>
      measures({ type: "user", message: { role: "user", parts } }, [kind], tool)["qwen-code.billed"];
    const skill = { id: "1", name: "skill", response: { output: "Base directory for this skill: /s\nDo." } };
    const listing = "<available_skills>\n<skill>\n<name>\npdf\n</name></skill>\n</available_skills>";
    expect(billed([{ text: "<system-reminder>Today.</system-reminder>\n" }], "text")).toEqual([BILLED.REMINDER]);
    expect(billed([{ text: listing }], "text")).toEqual([BILLED.LISTING]);
    expect(billed([{ functionResponse: skill }], "tool_result", "skill")).toEqual([BILLED.SKILL_BODY]);
    expect(billed([{ text: "Got it. Thanks for the context!" }], "text")).toEqual([BILLED.CONTEXT_ANSWER]);
    expect(billed([{ text: "Hello." }], "text")).toEqual([BILLED.CONVERSATION]);
  });

  it("identify a bridged tool by its call, and exclude errors and other tools", () => {
    const result = (name: string, answer: Json) => ({
      type: "tool_result",
      message: { role: "user", parts: [{ functionResponse: { id: "1", name, response: answer } }] },
    });
    expect(
      measures(result("tool_call", { output: "abc" }), ["tool_result"], "Grep_Search")["qwen-code.outputChars"],
    ).toEqual([3]);
    expect(measures(result("grep_search", { error: "abc" }), ["tool_result"])["qwen-code.outputChars"]).toEqual([0]);
    expect(measures(result("todo_write", { output: "abc" }), ["tool_result"])["qwen-code.outputChars"]).toEqual([0]);
  });

  /** A result, or a call, of this tool. */
  const answered = (name: string | undefined, answer: Json, tool?: string) =>
    measures(
      {
        type: "tool_result",
        message: { role: "user", parts: [{ functionResponse: { id: "1", name, response: answer } }] },
      },
      ["tool_result"],
      tool,
    );
  const called = (name: string, args: Json) =>
    measures({ type: "assistant", message: { role: "model", parts: [{ functionCall: { id: "1", name, args } }] } }, [
      "tool_call",
    ]);

  it("report the size of an output that may be cleared", () => {
    const cleared = "[Old tool result content cleared]";
    const chars = (...given: Parameters<typeof answered>) => answered(...given)["qwen-code.outputChars"];
    expect(chars("glob", { output: "abc" })).toEqual([3]);
    expect(chars("glob", { output: "abc", error: "failed" })).toEqual([0]);
    expect(chars("glob", { output: cleared })).toEqual([0]);
    expect(chars("glob", { output: { lines: 3 } })).toEqual([0]);
    expect(chars("search_file_content", { output: "abc" })).toEqual([3]);
    expect(called("glob", { output: "abc" })["qwen-code.outputChars"]).toEqual([0]);
  });

  it("use the call's tool for a result without a tool name or with the bridge's name", () => {
    const chars = (...given: Parameters<typeof answered>) => answered(...given)["qwen-code.outputChars"];
    expect(chars(undefined, { output: "abc" }, "glob")).toEqual([3]);
    expect(chars("tool_call", { output: "abc" }, "glob")).toEqual([3]);
    expect(chars("todo_write", { output: "abc" }, "glob")).toEqual([0]);
    expect(chars(undefined, { output: "abc" })).toEqual([0]);
  });

  it("find the tool of each result by that result's call", () => {
    const results = ["glob", "todo_write", "glob"].map((tool, at) =>
      blockOf("tool_result", "abc", { callId: `c${at}`, tool }),
    );
    const image = blockOf("image", "AAAA", { callId: "c0" });
    const message = messageOf("user", "tool", results[0] ?? image, image, ...results.slice(1));
    const all = qwenCodeMeasures(message, contentsOf(message), "pi");
    expect(all["qwen-code.outputChars"]).toEqual([3, 0, 0, 3]);
    expect(all["qwen-code.part"]).toEqual([PART.CLEARABLE, PART.WITHIN | PART.PICTURE, 0, PART.CLEARABLE]);
    const { content } = nativeMessage(message, contentsOf(message), "pi");
    expect(all["qwen-code.jsonChars"]).toEqual([JSON.stringify(content).length, 0, 0, 0]);
    // Only our block knows the tool: the response does not name it.
    const nameless = { functionResponse: { id: "1", response: { output: "abc" } } };
    const record = { type: "tool_result", message: { role: "user", parts: [{ text: "a" }, nameless] } };
    const mixed = messageOf("user", "tool", blockOf("text", ""), blockOf("tool_result", "", { part: 1, tool: "glob" }));
    expect(qwenCodeMeasures(mixed, ownContents(record, 2), "qwen-code")["qwen-code.outputChars"]).toEqual([0, 3]);
  });

  it("report the size of a file's content in a call or a result", () => {
    const ofCall = (name: string, args: Json) => called(name, args)["qwen-code.fileChars"];
    expect(ofCall("write_file", { file_path: "a", content: "abcd" })).toEqual([5]);
    expect(ofCall("write_file", { file_path: "a", file_text: "abc" })).toEqual([4]);
    expect(ofCall("write_file", { file_path: "a", contents: "ab" })).toEqual([3]);
    expect(ofCall("write_file", { file_path: "a", content: "abcd", file_text: "abc", contents: "ab" })).toEqual([5]);
    // A call that names no file cannot lead to one being restored.
    expect(ofCall("write_file", { content: "abcd" })).toEqual([0]);
    expect(ofCall("read_file", { path: "a" })).toEqual([0]);
    expect(ofCall("write_file", { file_path: "a" })).toEqual([1]);
    expect(ofCall("edit", { file_path: "a", content: "abcd" })).toEqual([1]);
    expect(ofCall("replace", { file_path: "a" })).toEqual([1]);
    expect(ofCall("read_file", { file_path: "a", content: "abcd" })).toEqual([1]);
    expect(ofCall("glob", { content: "abcd" })).toEqual([0]);
    const ofResult = (name: string, answer: Json) => answered(name, answer)["qwen-code.fileChars"];
    expect(ofResult("read_file", { output: "abcd" })).toEqual([5]);
    expect(ofResult("read_file", { output: "" })).toEqual([1]);
    expect(ofResult("read_file", { output: "abcd", error: "failed" })).toEqual([0]);
    expect(ofResult("read_file", { output: ["abcd"] })).toEqual([0]);
    for (const name of ["write_file", "edit", "glob"]) expect(ofResult(name, { output: "abcd" })).toEqual([0]);
  });

  it("report the length of a call and of a file's fence", () => {
    expect(called("glob", { pattern: "*" })["qwen-code.callChars"]).toEqual(["glob".length + '{"pattern":"*"}'.length]);
    expect(answered("glob", { output: "a" })["qwen-code.callChars"]).toEqual([0]);
    const fence = (output: string) => answered("read_file", { output })["qwen-code.fence"];
    expect([fence("a"), fence("a `b` ``c``"), fence("```ts\n```"), fence("`````")]).toEqual([[3], [3], [4], [6]]);
    expect(answered("glob", { output: "```" })["qwen-code.fence"]).toEqual([0]);
    const written = { file_path: "a", content: "````" };
    expect(called("write_file", written)["qwen-code.fence"]).toEqual([5]);
  });

  it("distinguish inline images from documents and links, and nested parts from later ones", () => {
    const media = [
      IMAGE,
      { inlineData: { mimeType: "application/pdf", data: "" } },
      { fileData: { mimeType: "image/png", fileUri: "https://example.com/a.png" } },
    ];
    const own = { type: "user", message: { role: "user", parts: [...media, { text: "a" }] } };
    const images = ["image", "image", "image"] as const;
    expect(measures(own, [...images, "text"])["qwen-code.part"]).toEqual([PART.PICTURE, 0, 0, 0]);
    const held = { id: "1", name: "glob", response: { error: "no" }, parts: media };
    const both = { type: "tool_result", message: { role: "user", parts: [{ functionResponse: held }, ...media] } };
    expect(measures(both, ["tool_result", ...images, ...images], "glob")["qwen-code.part"]).toEqual([
      PART.CLEARABLE | PART.ERROR | PART.OWN,
      ...[PART.WITHIN | PART.PICTURE, PART.WITHIN, PART.WITHIN],
      ...[PART.PICTURE, 0, 0],
    ]);
  });

  it("recognise a skill's body only in a result of the skill tool", () => {
    const body = { output: "Base directory for this skill: /s\nDo." };
    const billed = (...given: Parameters<typeof answered>) => answered(...given)["qwen-code.billed"];
    expect(billed("skill", body)).toEqual([BILLED.SKILL_BODY]);
    expect(billed("skill", { output: "No such skill." })).toEqual([BILLED.CONVERSATION]);
    expect(billed("read_file", body)).toEqual([BILLED.CONVERSATION]);
  });

  it("report the length of an output on entry", () => {
    const output = "x".repeat(40_000);
    const record = {
      type: "tool_result",
      message: {
        role: "user",
        parts: [{ functionResponse: { id: "1", name: "run_shell_command", response: { output } } }],
      },
    };
    const { "qwen-code.entered": documented, "qwen-code.enteredCurrent": current } = measures(record, ["tool_result"]);
    // One line, wrapped at 120, makes 334 lines. All of them fit within 200 + 800, so the wrapper makes the output longer.
    expect(documented[0]).toBeGreaterThan(40_000);
    // A preview of 4,000 characters; one line fills the fifth of it that the beginning gets.
    expect(current[0]).toBeLessThan(5_000);
  });
});
