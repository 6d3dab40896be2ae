import { describe, expect, it } from "vitest";
import { KIND } from "@/lib/core/columns/columns";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { drawColumns } from "@/lib/core/testing/draw";
import {
  assembleSystemPrompt,
  compressionHint,
  rebuild,
  shouldCompress,
} from "@/verify/agents/mini-claude-code/compression";
import { miniClaudeCodeEstimator } from "./estimator";
import { profile as miniClaudeCode } from "./index";
import { estimateTokens } from "./messages/message";
import { miniClaudeCodePolicy } from "./policy/policy";
import { truncateOutput } from "./policy/tool-output";
import { hintsStart } from "./summary/compression";

describe("compression", () => {
  it("fires above 102,400 tokens, but not at exactly 102,400", () => {
    expect([102_399, 102_400, 102_401].map(shouldCompress)).toEqual([false, false, true]);
    const specs = miniClaudeCodePolicy.settings("as-documented", { window: 128_000, agent: null });
    const settings = Object.fromEntries(specs.map((spec) => [spec.key, spec.default]));
    expect(miniClaudeCodePolicy.threshold?.({ preset: "as-documented", window: 128_000, settings })).toBe(102_400);
  });

  it("rebuilds a session as the question and a hint, or as a hint alone", () => {
    const documented = rebuild("Fix it.", "done", "STATIC", "as-documented");
    expect(documented.history).toEqual([{ role: "user", content: "Fix it." }]);
    expect(documented.tokens).toBe(estimateTokens("Fix it.") + estimateTokens(documented.system));
    expect(rebuild("Fix it.", "done", "STATIC", "current").history).toEqual([]);
    for (const preset of ["as-documented", "current"] as const) {
      const system = assembleSystemPrompt("STATIC", [compressionHint("done", preset)], preset);
      expect(system.slice(hintsStart(system))).toContain("done");
      expect(hintsStart(assembleSystemPrompt("STATIC", [], preset))).toBe(-1);
    }
  });
});

describe("sizes", () => {
  it("a text counts two fifths of its UTF-16 units, rounded up", () => {
    for (let chars = 0; chars <= 60; chars++) {
      let least = 0;
      while (least * 5 < chars * 2) least += 1;
      expect(estimateTokens("中".repeat(chars))).toBe(least);
    }
  });

  it("an output at the limit stays whole, and a longer one keeps its beginning", () => {
    for (const chars of [7999, 8000, 8001, 8002]) {
      const cut = truncateOutput("bash", "x".repeat(chars), "current");
      expect(cut.startsWith("x".repeat(Math.min(chars, 8000)))).toBe(true);
      expect(cut.includes("system_hint")).toBe(chars > 8000);
    }
  });

  it("the hint after a cut output states the chosen limit", () => {
    const columns = drawColumns("u1 c1 r9000 a1");
    const item = columns.kind.indexOf(KIND.tool_result);
    const specs = miniClaudeCodePolicy.settings("current", { window: 128_000, agent: null });
    const entered = (toolOutputChars: number) => {
      const settings = resolveSettings(specs, { toolOutputChars });
      const plan = { columns, preset: "current", settings, window: 128_000 };
      return miniClaudeCodePolicy.entryRule?.tokens(plan, item, 1e9) ?? 0;
    };
    // The outputs grow by 9 and by 90 units, and their hints by one digit each.
    expect((entered(10) - entered(1)) / (entered(100) - entered(10))).toBeCloseTo(10 / 91, 6);
  });

  it("the sizes of a message's blocks sum to the message's size, rounded up once", () => {
    const source = { line: 1, offset: 0, length: 1, part: 0 };
    const kinds = ["thinking", "text", "tool_call", "image"] as const;
    const blocks = kinds.map((kind) => ({ kind, text: { chars: 2, bytes: 2 }, source, callId: "c", tool: "bash" }));
    const contents = ["t", "é", '{"a":1}', "AAAA".repeat(1000)].map((text) => ({ text, record: {} }));
    const message = { role: "assistant", origin: "response", line: 1, blocks } as const;
    const parts = [
      { type: "reasoning", text: "t" },
      { type: "text", text: "é" },
      { type: "tool-call", toolCallId: "c", toolName: "bash", args: { a: 1 } },
    ];
    const tokens = miniClaudeCodeEstimator.blocks(message, contents, "claude-code");
    expect(tokens.reduce((sum, size) => sum + size, 0)).toBe(Math.ceil(JSON.stringify(parts).length / 2.5));
    expect(tokens[3]).toBe(0);
  });
});

it("the profile names a source for every constant, and gives histories the default preset", () => {
  for (const constant of Object.values(miniClaudeCode.constants))
    expect(constant.source.text.length).toBeGreaterThan(8);
  expect(miniClaudeCode.presetFor(undefined)).toBe("as-documented");
});
