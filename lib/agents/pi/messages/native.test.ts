import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { assertDefined } from "@/lib/core/base/assert";
import { drawTranscript } from "@/lib/core/testing/draw";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Block, Message } from "@/lib/core/transcript/model";
import { readRecords, readTranscript } from "@/verify/support/read";
import { CUT } from "../base/constants";
import { PI_PRESETS } from "../base/presets";
import { messagesTokens, piEstimator, piEstimatorOf, piMeasures } from "../estimator";
import { piReader } from "../read/reader";
import { contextMessages, messageOfEntry } from "./entry";
import type { PiContent, PiMessage } from "./message";
import { nativeEntries, recordedEntry } from "./native";

const FOLDER = fileURLToPath(new URL("../fixtures/", import.meta.url));
const fixtures = readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl"));

function messagesOf(name: string): { message: Message; contents: BlockContent[] }[] {
  const bytes = readFileSync(`${FOLDER}${name}`);
  const records = new Map(readRecords(bytes).map((record) => [record.offset, record.value]));
  return readTranscript(bytes, piReader).messages.map((message) => ({
    message,
    contents: message.blocks.map((block) => {
      const record = assertDefined(records.get(block.source.offset), "the block's record");
      return { record, text: piReader.texts(record)[block.source.part] ?? "" };
    }),
  }));
}

/** The part of a message that both models hold: one text is one block, without content that pi ignores. */
function comparable(message: PiMessage | undefined): unknown {
  switch (message?.role) {
    case "user":
    case "custom":
      return { role: message.role, content: blocksOf(message.content) };
    case "assistant":
      return { role: "assistant", content: message.content.filter((block) => block.type !== "other") };
    case "toolResult": {
      const blocks = blocksOf(message.content);
      const text = blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
      const images = blocks.filter((block) => block.type === "image");
      const { toolCallId, toolName, isError } = message;
      return { role: "toolResult", text, images, toolCallId, toolName, isError };
    }
    default:
      return message;
  }
}

function blocksOf(content: PiContent) {
  const blocks = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
  return blocks.length === 0 ? [{ type: "text", text: "" } as const] : blocks;
}

describe.each(fixtures)("%s", (name) => {
  it("converts messages back to the recorded ones", () => {
    const inverse = messagesOf(name).filter(({ message, contents }) => isInverted(message, contents));
    for (const { message, contents } of inverse) {
      const recorded = messageOfEntry(recordedEntry(contents[0]?.record ?? {}));
      const back = nativeEntries(message, contents, "chat").map(({ entry }) => messageOfEntry(entry));
      expect(back.map(comparable)).toEqual([comparable(recorded)]);
    }
  });

  it.each(PI_PRESETS)("divides all tokens of a message among its blocks: %s", (preset) => {
    for (const { message, contents } of messagesOf(name)) {
      const own = contextMessages(recordedEntry(contents[0]?.record ?? {})).filter(({ role }) => role !== "system");
      const parts = piEstimatorOf(preset).blocks(message, contents, "pi");
      expect(parts).toHaveLength(message.blocks.length);
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(messagesTokens(own, preset));
      expect(parts.every((part) => Number.isInteger(part) && part >= 0)).toBe(true);
    }
  });
});

/** Exceptions are summaries and shell commands, which our model holds as the model reads them, and odd or empty content. */
function isInverted(message: Message, contents: readonly BlockContent[]): boolean {
  const record = contents[0]?.record;
  const recorded = messageOfEntry(recordedEntry(record ?? {}));
  const kinds = new Set(["user", "custom", "assistant", "toolResult"]);
  if (recorded === undefined || !kinds.has(recorded.role) || message.origin === "summary") return false;
  const json = JSON.stringify(record);
  return !/"redacted":true|"sketch"|"content":\[\]|"content":null/.test(json);
}

describe("conversion of other agents' messages", () => {
  const block = (kind: Block["kind"], rest: Partial<Block> = {}): Block => ({
    kind,
    text: { chars: 0, bytes: 0 },
    source: { line: 1, offset: 0, length: 0, part: 0 },
    ...rest,
  });
  const message = (origin: Message["origin"], blocks: readonly Block[]): Message => ({
    role: origin === "response" ? "assistant" : "user",
    origin,
    line: 1,
    blocks,
  });
  const contents = (texts: readonly string[]): BlockContent[] => texts.map((text) => ({ text, record: {} }));
  const native = (one: Message, texts: readonly string[]) =>
    nativeEntries(one, contents(texts), "chat").map(({ entry, blocks }) => [
      entry.type,
      messageOfEntry(entry)?.role,
      blocks,
    ]);

  it("makes each result with its image a separate message, and later text a typed one", () => {
    const both = message("tool", [
      block("tool_result", { callId: "1" }),
      block("image", { callId: "1" }),
      block("tool_result", { callId: "2" }),
      block("text"),
    ]);
    expect(native(both, ["a", "b", "c", "d"])).toEqual([
      ["message", "toolResult", [0, 1]],
      ["message", "toolResult", [2]],
      ["message", "user", [3]],
    ]);
    const cut = piMeasures(both, contents(["a", "b", "c", "d"]), "claude-code")["pi.cut"];
    expect(cut).toEqual([CUT.RESULT, CUT.INSIDE, CUT.RESULT, CUT.TURN]);
  });

  it("makes one message of all parts of a result", () => {
    const parts = message("tool", [
      block("tool_result", { callId: "1" }),
      block("image", { callId: "1" }),
      block("tool_result", { callId: "1" }),
      block("tool_result"),
      block("tool_result"),
    ]);
    expect(native(parts, ["a", "b", "c", "d", "e"])).toEqual([
      ["message", "toolResult", [0, 1, 2]],
      ["message", "toolResult", [3]],
      ["message", "toolResult", [4]],
    ]);
    // Rounded up once: 2 + 4,800 characters.
    const sizes = piEstimator.blocks(parts, contents(["a", "b", "c", "d", "e"]), "codex");
    expect(sizes.slice(0, 3).reduce((sum, size) => sum + size, 0)).toBe(1201);
  });

  it("counts an image in a response as 0", () => {
    const made = message("response", [block("text"), block("image")]);
    expect(piEstimator.blocks(made, contents(["abcdefgh", "…"]), "codex")).toEqual([2, 0]);
  });

  it("makes inserted content an extension's message, and a response one message", () => {
    expect(native(message("context", [block("text"), block("image")]), ["a", "b"])).toEqual([
      ["custom_message", "custom", [0, 1]],
    ]);
    const response = message("response", [block("thinking"), block("text"), block("tool_call", { tool: "Read" })]);
    expect(native(response, ["a", "b", "{}"])).toEqual([["message", "assistant", [0, 1, 2]]]);
    expect(native(message("summary", [block("text")]), ["a"])).toEqual([["message", "compactionSummary", [0]]]);
  });

  it("measures arguments in pi's format", () => {
    const call = message("response", [block("tool_call", { tool: "Read" })]);
    // 4 for the name, 9 for {"a":[1]}.
    expect(piEstimator.blocks(call, contents(['{ "a": [1] }']), "codex")).toEqual([Math.ceil(13 / 4)]);
    // A free text is the only field of an object: 4 + {"input":"ls"}.
    expect(piEstimator.blocks(call, contents(["ls"]), "codex")).toEqual([Math.ceil((4 + 14) / 4)]);
  });

  it("counts an image as 1,200, except a typed one in 0.51", () => {
    const typed = message("typed", [block("text"), block("image")]);
    expect(piEstimatorOf("current").blocks(typed, contents(["abcd", "…"]), "codex")).toEqual([1, 1200]);
    expect(piEstimatorOf("v0.51.0").blocks(typed, contents(["abcd", "…"]), "codex")).toEqual([1, 0]);
    const result = message("tool", [block("tool_result", { callId: "1" }), block("image", { callId: "1" })]);
    expect(piEstimatorOf("v0.51.0").blocks(result, contents(["abcd", "…"]), "codex")).toEqual([1, 1200]);
  });

  it("counts a bare text in UTF-16 units", () => {
    expect(["", "a", "abcd", "abcde", "中文", "👍👍👍"].map(piEstimator.text)).toEqual([0, 1, 1, 2, 1, 2]);
  });

  it("gives each row of a generated session a size", () => {
    for (const one of drawTranscript("u10 a20 c5 r900").messages) {
      const texts = contents(one.blocks.map((part) => "x".repeat(part.text.chars)));
      expect(piEstimator.blocks(one, texts, "drawn")).toHaveLength(one.blocks.length);
    }
  });
});
