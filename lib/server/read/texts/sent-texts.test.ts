import { describe, expect, it } from "vitest";
import { policyById } from "@/lib/agents/registry";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { sentText, sentTextsOf } from "./sent-texts";

const LONG = Array.from({ length: 8000 }, (_, line) => `line ${line} of an output`).join("\n");
const WHOLE = { sentAs: "whole", left: 1 } as const;

async function textsOf(choice: string, given: Record<string, unknown> = {}) {
  const [id = "", preset = ""] = choice.split("@");
  const policy = policyById(id);
  const specs = policy?.settings(preset, { window: 200_000, agent: null }) ?? [];
  return sentTextsOf(id, preset, resolveSettings(specs, given));
}

describe("a tool output when it enters the context", () => {
  it.each([
    ["qwen-code@current", "Bash", /^Tool output was too large and has been truncated\./, 5_000],
    ["qwen-code@as-documented", "Bash", /\.\.\. \[CONTENT TRUNCATED\] \.\.\./, 30_000],
    ["pi@current", "Bash", /line 7999 of an output$/, 51_200],
    ["mini-claude-code@current", "Bash", /<system_hint type="tool_output_omitted" tool="Bash"/, 8_300],
    ["gemini-cli@current", "Bash", /^Output too large\. Showing first 8,000 and last 32,000 characters\./, 40_300],
    [
      "openclaw@current",
      "Bash",
      /\[\.\.\. \d+ more characters truncated; rerun with narrower args if needed\]$/,
      64_000,
    ],
    ["openclaw@as-documented", "Read", /^line 0 /, 51_200],
  ])("is truncated as by %s", async (choice, tool, marker, most) => {
    const texts = await textsOf(choice);
    const text = sentText(texts, LONG, { kind: "tool_result", tool }, WHOLE);
    expect(text).toMatch(marker);
    expect(text.length).toBeLessThanOrEqual(most);
    expect(text.length).toBeGreaterThan(3_000);
    expect(sentText(texts, "short", { kind: "tool_result", tool }, WHOLE)).toBe("short");
    expect(sentText(texts, LONG, { kind: "text" }, WHOLE)).toBe(LONG);
  });

  it("is unchanged if entry truncation is off or the policy has none", async () => {
    for (const texts of [await textsOf("pi@current", { entryTruncation: false }), await textsOf("custom@default")]) {
      expect(sentText(texts, LONG, { kind: "tool_result" }, WHOLE)).toBe(LONG);
    }
  });
});

describe("a text after a compaction", () => {
  it("is OpenClaw's trimmed result after pruning, or a shortened one if the prompt did not fit", async () => {
    const item = { kind: "tool_result" } as const;
    const pruned = sentText(await textsOf("openclaw@as-documented"), LONG, item, { sentAs: "truncated", left: 0.02 });
    expect(pruned).toMatch(/\n\n\[Tool result trimmed: kept first 1500 chars and last 1500 chars of \d+ chars\.\]$/);
    const texts = await textsOf("openclaw@current", { entryTruncation: false });
    const shortened = sentText(texts, LONG, item, { sentAs: "truncated", left: 0.1 });
    expect(shortened).toMatch(/more characters truncated; rerun with narrower args if needed\]$/);
    expect(shortened.length).toBeLessThanOrEqual(LONG.length * 0.1);
  });

  it("is the agent's placeholder if the result was cleared", async () => {
    const cleared = async (choice: string) =>
      sentText(await textsOf(choice), LONG, { kind: "tool_result", tool: "Bash" }, { sentAs: "cleared", left: 0 });
    for (const choice of ["opencode@current", "qwen-code@current", "openclaw@as-documented"]) {
      expect(await cleared(choice)).toBe("[Old tool result content cleared]");
    }
    expect(await cleared("gemini-cli@current")).toMatch(/^<tool_output_masked>\n.*<\/tool_output_masked>$/s);
    expect(await cleared("custom@default")).toBe("[content cleared]");
  });
});
