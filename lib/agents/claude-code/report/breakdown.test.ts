import { expect, it } from "vitest";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { splitOverhead, withOverhead } from "@/lib/core/context/context-overhead";
import { recordedSeries } from "@/lib/core/context/recorded";
import { drawColumns } from "@/lib/core/testing/draw";
import { claudeCodeBreakdown } from "./breakdown";

const overhead = {
  categories: [
    { id: "systemPrompt" as const, tokens: 3000, items: [] },
    { id: "memoryFiles" as const, tokens: 1500, items: [{ name: "CLAUDE.md", tokens: 1500 }] },
  ],
};

it("the breakdown rebuilds the categories and the buffer of the `/context` view", () => {
  const columns = drawColumns("u100 a20 @20100");
  const tokens = withOverhead(countedBySize(columns, "bytes-4"), overhead);
  const series = splitOverhead(recordedSeries({ columns, tokens }), overhead);
  const question = {
    columns,
    tokens,
    series,
    simulated: false,
    request: 0,
    window: 200_000,
    trigger: 167_000,
    overhead,
  };
  const breakdown = claudeCodeBreakdown.at(question, "reported");
  expect(breakdown.levels).toEqual([{ id: "auto", tokens: 167_000 }]);
  const text = claudeCodeBreakdown.text?.(
    breakdown,
    { window: 200_000, model: "claude-opus-4-6", view: "detail" },
    "reported",
  );
  expect(text).toBe(`Context Usage
  claude-opus-4-6 · 20.1k/200.0k tokens (10%)

  System prompt: 3.0k tokens (1.5%)
  Memory files: 1.5k tokens (0.8%)
    └ CLAUDE.md: 1.5k tokens
  System prompt, tools and memory (inferred): 15.5k tokens (7.8%)
  Messages: 100 tokens (0.1%)
  Free space: 146.9k tokens (73.5%)
  Autocompact buffer: 33.0k tokens (16.5%)`);
});
