import { describe, expect, it } from "vitest";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { loadRecording } from "@/verify/support/loaded-recording";
import type { CodexPreset } from "./base/presets";
import { codexEstimatorOf, codexMeasures } from "./estimator";
import { itemTokens } from "./messages/estimate";
import { userMessage } from "./messages/item";
import { codexPolicy } from "./policy/policy";

/** Other agents' recordings under Codex's rules, where they differ from Codex's own records. */

const WINDOW = 272_000;

function recordingOf(records: readonly unknown[], preset: CodexPreset, format = "chat") {
  const bytes = Buffer.from(records.map((record) => JSON.stringify(record)).join("\n"));
  return loadRecording({ name: format, format, bytes: () => bytes }, codexEstimatorOf(preset), codexMeasures);
}

function replayOf(
  { columns, tokens }: ReturnType<typeof recordingOf>,
  preset: CodexPreset,
  given: Readonly<Record<string, unknown>>,
  counting: "estimate" | "anchored" = "estimate",
) {
  const settings = resolveSettings(codexPolicy.settings(preset, { window: WINDOW, agent: null }), given);
  return replay({ columns, tokens }, codexPolicy, settings, { preset, window: WINDOW, counting });
}

/** Claude Code's records, chained in the given order. */
function chained(messages: readonly { role: string; content: unknown; usage?: unknown }[]) {
  return messages.map((message, index) => ({
    parentUuid: index === 0 ? null : `m${index - 1}`,
    uuid: `m${index}`,
    sessionId: "s",
    isSidechain: false,
    type: message.role,
    message: message.role === "assistant" ? { id: `r${index}`, model: "claude-opus-4-6", ...message } : message,
    timestamp: "2026-02-01T09:00:00.000Z",
  }));
}

const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "A".repeat(4000) } };
const pictured = chained([
  { role: "user", content: [{ type: "text", text: "What is this?" }, image] },
  { role: "assistant", content: [{ type: "text", text: "A cat." }] },
  { role: "user", content: "Sure?" },
  { role: "assistant", content: [{ type: "text", text: "Yes." }] },
]);

describe("images", () => {
  it("cost the current preset's image size and do not inflate neighbouring text", () => {
    const { tokens, columns } = recordingOf(pictured, "current", "claude-code");
    const [text = 0, picture = 0] = tokens.subarray(columns.overheadRows);
    expect(picture).toBeGreaterThan(1800);
    expect(text).toBeLessThan(20);
  });

  it.each(["as-documented", "current"] as const)(
    "do not change the size of kept texts in local compaction: %s",
    (preset) => {
      const local = preset === "current" ? { remote: false } : {};
      const { compactions } = replayOf(recordingOf(pictured, preset, "claude-code"), preset, {
        autoCompactLimit: 1,
        summaryTokens: 100,
        ...local,
      });
      const texts = ["What is this?", "Sure?"].map((text) => itemTokens(userMessage(text), preset));
      expect(compactions[0]?.tokensAfter).toBe(texts.reduce((sum, size) => sum + size, 100));
    },
  );
});

describe("outputs", () => {
  const resultSizes = (recording: ReturnType<typeof recordingOf>) => {
    const { sizes } = replayOf(recording, "current", { toolOutputTokens: 500 });
    return Array.from(sizes).filter((_, row) => recording.columns.kind[row] === 4);
  };
  const call = (id: string) => ({ id, type: "function", function: { name: "read", arguments: "{}" } });
  const cutTokens = (ids: readonly string[], answered: readonly string[]) => {
    const output = "a".repeat(8000);
    const messages = [
      { role: "user", content: "Read." },
      { role: "assistant", content: null, tool_calls: ids.map(call) },
      ...answered.map((tool_call_id) => ({ role: "tool", tool_call_id, content: output })),
      { role: "assistant", content: "Done." },
    ];
    const recording = recordingOf(messages, "current");
    return resultSizes(recording);
  };

  it("are cut to the same size, whatever the length of their call's id", () => {
    // 600 tokens of text, the marker of 26 bytes, and the JSON around them with an id of 1 or 40 characters.
    const around = '{"type":"function_call_output","call_id":"","output":""}'.length;
    const [short = 0] = cutTokens(["c"], ["c"]);
    const [long = 0] = cutTokens(["c".repeat(40)], ["c".repeat(40)]);
    expect(Math.abs(short - Math.ceil((around + 1 + 2426) / 4))).toBeLessThanOrEqual(1);
    expect(Math.abs(long - Math.ceil((around + 40 + 2426) / 4))).toBeLessThanOrEqual(1);
  });

  it("each have their own limit if their calls are unknown", () => {
    const result = (tool_use_id: string) => ({ type: "tool_result", tool_use_id, content: "a".repeat(8000) });
    const records = chained([
      { role: "user", content: "Read." },
      { role: "user", content: [result("a"), result("b")] },
      { role: "assistant", content: [{ type: "text", text: "Done." }] },
    ]);
    const [first = 0, second = 0] = resultSizes(recordingOf(records, "current", "claude-code"));
    expect(first).toBeGreaterThan(600);
    expect(second).toBe(first);
  });
});

describe("compaction triggers and kept content", () => {
  it("does not compact before the model's first answer", () => {
    const question = [
      { role: "user", content: "a".repeat(4000) },
      { role: "assistant", content: "b" },
    ];
    const recording = recordingOf(question, "current");
    expect(replayOf(recording, "current", { autoCompactLimit: 500 }).compactions).toEqual([]);
  });

  it("drops typed text that looks like Codex's own context", () => {
    const typed = [
      { role: "user", content: "<environment_context>\nlinux\n</environment_context>" },
      { role: "assistant", content: "a".repeat(400) },
      { role: "user", content: "Go on." },
      { role: "assistant", content: "b" },
    ];
    const { columns } = recordingOf(typed, "current");
    expect(Array.from(columns.measures["codex.retained"] ?? []).slice(columns.overheadRows)).toEqual([0, 0, 7, 0]);
  });

  it("adds no readable reasoning of earlier turns to a recorded input", () => {
    const usage = (input_tokens: number) => ({ input_tokens, output_tokens: 10 });
    const answer = (text: string) => [{ type: "text", text }];
    const records = chained([
      { role: "user", content: "One?" },
      { role: "assistant", content: [{ type: "thinking", thinking: "x".repeat(4000) }], usage: usage(500) },
      { role: "user", content: "Two?" },
      { role: "assistant", content: answer("Two."), usage: usage(1600) },
      { role: "user", content: "Three?" },
      { role: "assistant", content: answer("Three."), usage: usage(1700) },
    ]);
    const recording = recordingOf(records, "release-2026-01", "claude-code");
    expect(recording.columns.kind.indexOf(2)).toBeGreaterThan(0);
    expect(replayOf(recording, "release-2026-01", { autoCompactLimit: 1900 }, "anchored").compactions).toEqual([]);
  });
});
