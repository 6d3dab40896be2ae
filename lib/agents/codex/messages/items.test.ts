import { describe, expect, it } from "vitest";
import { collectUserMessages } from "@/verify/agents/codex/compaction";
import { recordItems } from "@/verify/agents/codex/recorded-history";
import { CODEX_PRESETS, type CodexPreset } from "../base/presets";
import { codexEstimatorOf } from "../estimator";
import type { ResponseItem } from "./item";
import { serializeItem } from "./serialize";

describe("user messages that a compaction keeps", () => {
  const text = (words: string) => ({ type: "input_text", text: words });
  const image = { type: "input_image", image_url: "data:image/png;base64,AAAA" };
  const kept = (content: readonly object[], preset: CodexPreset) =>
    collectUserMessages([{ type: "message", role: "user", content }], preset);

  it.each([
    [[text("<image name=[Image #1]>"), image, text("</image>"), text("What is it?")], "What is it?"],
    [[text("Before. "), text("<image>"), image, text("</image>"), text("After.")], "Before. After."],
    // A label is next to an image; anywhere else the user typed it.
    [[text("<image>"), text("What is it?"), text("</image>"), image], "<image>What is it?</image>"],
    [[image, text("<image>"), text("</image>")], "<image></image>"],
    [[text("<image name=a"), image, text(" </image>")], "<image name=a </image>"],
  ])("lose the labels of their images: %j", (content, words) => {
    for (const preset of CODEX_PRESETS) expect(kept(content, preset)).toEqual([words]);
  });
});

describe("items in the history", () => {
  const LIMIT = { mode: "tokens", limit: 1000 } as const;
  const presetsThatRecord = (item: ResponseItem) =>
    CODEX_PRESETS.filter((preset) => recordItems([item], LIMIT, preset).length === 1);

  it.each([
    ["message", CODEX_PRESETS],
    ["compaction_summary", CODEX_PRESETS],
    ["ghost_snapshot", ["as-documented", "release-2026-01"]],
    ["tool_search_call", ["current"]],
    ["context_compaction", ["current"]],
    ["additional_tools", []],
    ["crystal_ball", []],
    ["other", []],
    ["constructor", []],
  ] as const)("include %s in %j", (type, presets) => {
    expect(presetsThatRecord({ type })).toEqual(presets);
  });

  it("exclude system messages", () => {
    expect(presetsThatRecord({ type: "message", role: "system", content: [] })).toEqual([]);
  });

  it('of an unknown kind are written as {"type":"other"} and count as 0', () => {
    const item = { type: "crystal_ball", vision: "a long one ".repeat(40) };
    for (const preset of CODEX_PRESETS) {
      expect(serializeItem(item, preset)).toBe('{"type":"other"}');
      expect(codexEstimatorOf(preset).message?.(item)).toBe(0);
    }
  });
});
