import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formattedTruncateText, truncateToTokens } from "@/verify/agents/codex/truncate";
import { CODEX_PRESETS, type CodexPreset } from "./base/presets";
import { itemTokens, replacedContentBytes } from "./messages/estimate";
import { type ResponseItem, stringField } from "./messages/item";
import { serializeItem } from "./messages/serialize";
import { forPrompt } from "./sent/normalize";
import { splitText, truncateContentItems, truncateText } from "./sent/truncate";

/** Compares the rules with independent brute-force definitions: searches bytes one by one, and pairs everywhere. */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Characters of one to four bytes, including those at the edges of each length. */
const text = fc
  .array(fc.constantFrom("a", "\n", "\u007f", "\u0080", "é", "\u07ff", "\u0800", "中", "\uffff", "\u{10000}", "😀"), {
    maxLength: 40,
  })
  .map((characters) => characters.join(""));

/** True if a character begins at a byte, or the text ends there: continuation bytes are 10xxxxxx. */
function isBoundary(bytes: Uint8Array, at: number): boolean {
  return at === bytes.length || ((bytes[at] ?? 0) & 0xc0) !== 0x80;
}

/** The kept ends, found by trying every byte position. */
function bruteForceSplit(whole: string, left: number, right: number) {
  const bytes = encoder.encode(whole);
  let head = Math.min(left, bytes.length);
  while (!isBoundary(bytes, head)) head -= 1;
  let tail = Math.max(bytes.length - right, head, 0);
  while (!isBoundary(bytes, tail)) tail += 1;
  return {
    removed: [...decoder.decode(bytes.slice(head, tail))].length,
    head: decoder.decode(bytes.slice(0, head)),
    tail: decoder.decode(bytes.slice(tail)),
  };
}

describe("truncation", () => {
  it("keeps the same ends as a brute-force search over byte positions", () => {
    fc.assert(
      fc.property(text, fc.nat(60), fc.nat(60), (whole, left, right) => {
        expect(splitText(whole, left, right)).toEqual(bruteForceSplit(whole, left, right));
      }),
      { numRuns: 1000 },
    );
  });

  it("returns both ends around a marker, or the whole text if it fits", () => {
    const mode = fc.constantFrom("bytes" as const, "tokens" as const);
    fc.assert(
      fc.property(text, mode, fc.nat(30), (whole, unit, limit) => {
        const bytes = encoder.encode(whole).length;
        const budget = unit === "bytes" ? limit : limit * 4;
        const { head, tail, removed } = bruteForceSplit(whole, Math.floor(budget / 2), Math.ceil(budget / 2));
        const gone = unit === "bytes" ? `${removed} chars` : `${Math.ceil((bytes - budget) / 4)} tokens`;
        const expected = bytes <= budget ? whole : `${head}…${gone} truncated…${tail}`;
        expect(truncateText(whole, { mode: unit, limit })).toBe(expected);
        expect(truncateToTokens(whole, limit)[1] === null).toBe(bytes <= limit * 4);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["", 0, ""],
    ["a\nb", 2, "Total output lines: 2\n\na…1 chars truncated…b"],
    ["a\nb\n", 2, "Total output lines: 2\n\na…2 chars truncated…\n"],
    ["\n", 0, "Total output lines: 1\n\n…1 chars truncated…"],
    ["ab", 2, "ab"],
  ])("states the line count of %j if it exceeds %d bytes", (whole, limit, expected) => {
    expect(formattedTruncateText(whole, { mode: "bytes", limit }, "release-2026-01")).toBe(expected);
  });

  describe("truncation of content items", () => {
    const input = (content: string) => ({ type: "input_text", text: content });
    const image = { type: "input_image", image_url: "data:image/png;base64,AAAA" };
    const audio = { type: "input_audio", audio_url: "12345678" };
    const encrypted = { type: "encrypted_content", encrypted_content: "x".repeat(100), text: "readable" };
    const of = (items: readonly { type: string }[], limit: number, preset: CodexPreset = "current") =>
      truncateContentItems(items, { mode: "bytes", limit }, preset);

    it("lets texts use up the budget in order, to the last byte", () => {
      expect(of([input("abcd"), input("efgh")], 8)).toEqual([input("abcd"), input("efgh")]);
      expect(of([input("abcd"), input("efgh")], 7)).toEqual([input("abcd"), input("e…1 chars truncated…gh")]);
      expect(of([input("abcd"), input("efgh"), input("")], 4)).toEqual([
        input("abcd"),
        input("[omitted 2 text items ...]"),
      ]);
    });

    it("keeps images and encrypted content, whatever budget is left", () => {
      expect(of([input("ab"), image, encrypted], 2)).toEqual([input("ab"), image, encrypted]);
    });

    it("omits and counts audio that does not fit, except in older presets", () => {
      expect(of([audio, input("ab")], 10)).toEqual([audio, input("ab")]);
      expect(of([audio, input("abc")], 10)).toEqual([audio, input("a…1 chars truncated…c")]);
      expect(of([audio, input("ab"), audio], 7)).toEqual([input("ab"), input("[omitted 2 audio items ...]")]);
      expect(of([audio, input("ab")], 8)).toEqual([audio, input("[omitted 1 text items ...]")]);
      expect(of([audio, input("ab")], 2, "release-2026-01")).toEqual([audio, input("ab")]);
    });
  });
});

describe("pairing", () => {
  /** The outputs that answer each kind of call, and the presets that add them. */
  const OUTPUTS: readonly (readonly [call: string, output: string, presets: readonly CodexPreset[]])[] = [
    ["function_call", "function_call_output", CODEX_PRESETS],
    ["custom_tool_call", "custom_tool_call_output", ["release-2026-01", "current"]],
    ["local_shell_call", "function_call_output", ["release-2026-01", "current"]],
    ["tool_search_call", "tool_search_output", ["current"]],
  ];
  const kind = fc.constantFrom(
    ...new Set(OUTPUTS.flatMap(([call, output]) => [call as string, output])),
    "message",
    "ghost_snapshot",
  );
  const items = fc.array(
    fc.record(
      { type: kind, call_id: fc.constantFrom("a", "b", "c"), execution: fc.constantFrom("client", "server") },
      { requiredKeys: ["type"] },
    ),
    { maxLength: 12 },
  );

  /** Expected result for every item, by its own conditions looked up in the whole list. */
  function expected(list: readonly ResponseItem[], preset: CodexPreset): (readonly [string, unknown])[] {
    const holds = (type: string, callId: unknown, from = 0) =>
      list.some((item, index) => index >= from && item.type === type && item.call_id === callId);
    return list.flatMap((item, index): (readonly [string, unknown])[] => {
      const own = [item.type, item.call_id] as const;
      const answered = OUTPUTS.find(([call, , presets]) => call === item.type && presets.includes(preset));
      if (answered !== undefined && item.call_id !== undefined) {
        const [, output] = answered;
        const found = holds(output, item.call_id, preset === "as-documented" ? index + 1 : 0);
        return found ? [own] : [own, [output, item.call_id]];
      }
      const calls = OUTPUTS.filter(([, output, presets]) => output === item.type && presets.includes(preset));
      const excused = item.type === "tool_search_output" && (item.execution === "server" || item.call_id === undefined);
      if (calls.length > 0 && !excused && !calls.some(([call]) => holds(call, item.call_id))) return [];
      return item.type === "ghost_snapshot" && preset !== "current" ? [] : [own];
    });
  }

  it.each(CODEX_PRESETS)("answers every call and drops every orphan result in %s", (preset) => {
    fc.assert(
      fc.property(items, (list) => {
        const sent = forPrompt(list, preset).map((item) => [item.type, item.call_id] as const);
        expect(sent).toEqual(expected(list, preset));
      }),
      { numRuns: 500 },
    );
  });

  it("derives ids of generated outputs from call ids in the current preset only", () => {
    const call = { type: "function_call", id: "fc_1", call_id: "a" };
    const ids = (preset: CodexPreset, item: ResponseItem) => forPrompt([item], preset).map((one) => one.id);
    expect(ids("release-2026-01", call)).toEqual(["fc_1", undefined]);
    expect(ids("current", call)[1]).toMatch(/^fco_[\da-f]{8}-[\da-f-]{27}$/);
    expect(ids("current", call)).toEqual(ids("current", call));
    expect(ids("current", { ...call, id: "fc_2" })[1]).not.toBe(ids("current", call)[1]);
    expect(ids("current", { type: "function_call", call_id: "a" })).toEqual([undefined, undefined]);
  });

  it("replaces media that the model does not accept with a note", () => {
    const picture = { type: "input_image", image_url: "x" };
    const sound = { type: "input_audio", audio_url: "x" };
    const words = { type: "input_text", text: "words" };
    const content = [picture, sound, words];
    const call = { type: "function_call", call_id: "a" };
    const left = (images: boolean, audio: boolean) =>
      forPrompt([{ type: "message", role: "user", content }], "current", { images, audio })
        .flatMap((item) => item.content)
        .map((entry) => (entry as { type: string }).type); // The test made up these content items.
    expect(left(true, true)).toEqual(["input_image", "input_audio", "input_text"]);
    expect(left(false, true)).toEqual(["input_text", "input_audio", "input_text"]);
    expect(left(true, false)).toEqual(["input_image", "input_text", "input_text"]);
    const texts = { images: false, audio: false };
    const omitted = (what: string) => ({
      type: "input_text",
      text: `${what} content omitted because you do not support ${what} input`,
    });
    const [message] = forPrompt([{ type: "message", role: "user", content }], "current", texts);
    expect(message?.content).toEqual([omitted("image"), omitted("audio"), words]);
    for (const [type, callType] of [
      ["function_call_output", "function_call"],
      ["custom_tool_call_output", "custom_tool_call"],
    ] as const) {
      const output = (value: unknown) => ({ type, call_id: "a", output: value });
      const sent = (value: unknown) => forPrompt([{ ...call, type: callType }, output(value)], "current", texts)[1];
      expect(sent(content)).toEqual(output([omitted("image"), omitted("audio"), words]));
      expect(sent("text")).toEqual(output("text"));
    }
    const reasoning = { type: "reasoning", content: [picture], output: [picture] };
    expect(forPrompt([reasoning], "current", texts)).toEqual([reasoning]);
    expect(forPrompt([{ type: "message", content }], "release-2026-01", texts)).toEqual([{ type: "message", content }]);
  });
});

describe("the estimate of an item", () => {
  const json = (item: ResponseItem, preset: CodexPreset) => encoder.encode(serializeItem(item, preset)).length;
  const hidden = "x".repeat(4000);

  it("is 0 for a ghost snapshot, and a quarter of the JSON's bytes for a plain message", () => {
    for (const preset of CODEX_PRESETS) {
      expect(itemTokens({ type: "ghost_snapshot", ghost_commit: { id: "abc" } }, preset)).toBe(0);
      const message = { type: "message", role: "user", content: [{ type: "input_text", text: "中文 text" }] };
      expect(itemTokens(message, preset)).toBe(Math.ceil(json(message, preset) / 4));
    }
  });

  it.each([
    ["reasoning", ["as-documented", "release-2026-01", "current"]],
    ["compaction", ["release-2026-01", "current"]],
    ["context_compaction", ["current"]],
  ] as const)("counts the size before encryption for %s in %j", (type, presets) => {
    for (const preset of CODEX_PRESETS) {
      const item = { type, summary: [], encrypted_content: hidden };
      const bytes = presets.some((one) => one === preset) ? (4000 * 3) / 4 - 650 : json(item, preset);
      const tokens = itemTokens(item, preset);
      expect([Math.floor(bytes / 4), Math.ceil(bytes / 4)]).toContain(tokens);
    }
  });

  it("counts an image at its fixed size in the current preset, wherever it occurs", () => {
    const url = `data:image/png;base64,${"A".repeat(40_000)}`;
    const picture = { type: "input_image", image_url: url };
    const saved = 40_000 - 7373;
    for (const item of [
      { type: "message", role: "user", content: [picture] },
      { type: "agent_message", content: [picture] },
      { type: "function_call_output", call_id: "a", output: [picture] },
      { type: "custom_tool_call_output", call_id: "a", output: [picture] },
    ]) {
      expect(itemTokens(item, "current"), item.type).toBe(Math.ceil((json(item, "current") - saved) / 4));
      expect(itemTokens(item, "release-2026-01"), item.type).toBe(Math.ceil(json(item, "release-2026-01") / 4));
    }
    const other = {
      type: "function_call",
      call_id: "a",
      name: "x",
      arguments: "{}",
      output: [picture],
      content: [picture],
    };
    expect(itemTokens(other, "current")).toBe(Math.ceil(json(other, "current") / 4));
    expect(replacedContentBytes({ type: "input_image" }, true)).toBe(0);
    expect(replacedContentBytes({ type: "input_image", image_url: "https://example.com/a.png" }, true)).toBe(0);
  });

  it("counts encrypted output by its size before encryption, and encrypted messages as written", () => {
    const entry = { type: "encrypted_content", encrypted_content: hidden };
    expect(replacedContentBytes(entry, true)).toBeLessThan(0);
    expect(replacedContentBytes(entry, false)).toBe(0);
    expect(replacedContentBytes({ type: "input_text", encrypted_content: hidden }, true)).toBe(0);
    const message = { type: "message", role: "user", content: [entry] };
    expect(itemTokens(message, "current")).toBe(Math.ceil(json(message, "current") / 4));
    const output = { type: "function_call_output", call_id: "a", output: [entry] };
    expect(itemTokens(output, "current")).toBe(
      Math.ceil((json(output, "current") + replacedContentBytes(entry, true)) / 4),
    );
    expect(stringField(entry, "encrypted_content")).toBe(hidden);
  });
});
