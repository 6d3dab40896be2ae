import { describe, expect, it } from "vitest";
import { policyById } from "@/lib/agents/registry";
import type { HistoryMessage } from "@/lib/agents/shared/server-profile";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import type { Block } from "@/lib/core/transcript/model";
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

describe("calls and results of a request", () => {
  /** A message of blocks `c1` (call), `r1` (result), `i` (image); any other word is a text. */
  const message = (words: string, tool = "Bash"): HistoryMessage => {
    const blocks = words.split(" ").map((word): Block => {
      const kind = KIND_OF[word[0] ?? ""] ?? "text";
      const callId = kind === "tool_call" || kind === "tool_result" ? word.slice(1) : undefined;
      const source = { line: 1, offset: 0, length: 0, part: 0 };
      return { kind, text: { chars: 2, bytes: 2 }, source, tool, ...(callId === undefined ? {} : { callId }) };
    });
    const isResult = blocks[0]?.kind === "tool_result";
    return {
      message: { role: isResult ? "user" : "assistant", origin: isResult ? "tool" : "response", line: 1, blocks },
      contents: words.split(" ").map((text) => ({ text, record: {} })),
    };
  };
  const KIND_OF: Readonly<Record<string, Block["kind"]>> = { c: "tool_call", r: "tool_result", i: "image" };
  const history = [message("Both c1 c2"), message("r1"), message("r3 i"), message("Then"), message("End c4", "finish")];

  it.each([
    ["hermes@v0.18.0", "hermes", ["Both c1 c2", "[Result unavailable — see context summary above]", "r1"], "End c4"],
    [
      "hermes@v0.18.0",
      "pi",
      ["Both c1 c2", "[Result unavailable — see context summary above]", "r1", "r3 i"],
      "End c4",
    ],
    ["cline@v3.89.2", "cline", ["Both c1 c2", "result missing", "r1", "r3 i"], "End c4"],
    ["openhands@current", "openhands", [], ""],
    ["openhands@v0.62.0", "openhands", [], "End"],
    ["openhands@current", "pi", ["Both c1", "r1", "r3 i"], "End"],
  ])("are paired by %s in a recording of %s", async (choice, format, sent, last) => {
    const { paired } = await textsOf(choice);
    const messages = paired?.(history, choice.split("@")[1] ?? "", format) ?? [];
    const texts = messages.map(({ contents }) => contents.map(({ text }) => text).join(" "));
    const [end = "", ...standIn] = texts.slice(texts.indexOf("Then") + 1);
    expect([texts.slice(0, texts.indexOf("Then")), end]).toEqual([sent, last]);
    expect(standIn).toEqual(standIn.slice(0, 1));
  });

  it("have no result for a call in a text of Cline", async () => {
    const { paired } = await textsOf("cline@v3.89.2");
    const inText = message("ccall");
    const blocks = inText.message.blocks.map((block) => ({ ...block, callId: "call 1" }));
    const given = [{ ...inText, message: { ...inText.message, blocks } }];
    expect(paired?.(given, "", "cline")).toEqual(given);
  });
});
