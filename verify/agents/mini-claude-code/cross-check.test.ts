import fc from "fast-check";
import { expect, it } from "vitest";
import { miniClaudeCodeEstimator } from "@/lib/agents/mini-claude-code/estimator";
import { miniClaudeCodePolicy } from "@/lib/agents/mini-claude-code/policy/policy";
import { truncateOutput } from "@/lib/agents/mini-claude-code/policy/tool-output";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { replay } from "@/lib/core/compaction/replay";
import { runs } from "@/lib/core/testing/runs";
import { compactionsOf, differencesOf } from "@/verify/support/cross-check";
import { describeCrossCheck, fixtureGroups } from "@/verify/support/describe-cross-check";
import { loadRecording } from "@/verify/support/loaded-recording";
import { recordingSources, sampledSources } from "@/verify/support/recording-sources";
import { SAMPLED } from "@/verify/support/varied-settings";
import { estimateMessagesTokens } from "./compression";
import { crossCheck } from "./cross-check";

/** This checks a seeded sample; `npm run verify cross-check` runs the whole check. */
describeCrossCheck(crossCheck, [
  ...fixtureGroups(["mini-claude-code"]),
  { name: "recordings", sources: sampledSources(recordingSources(), 3, 7, 1_000_000), sampling: SAMPLED },
]);

it("the policy and the independent rules agree on random sessions", async () => {
  const step = fc.record({
    role: fc.constantFrom("user", "assistant", "tool", "call"),
    text: fc.oneof(fc.string({ maxLength: 60 }), fc.string({ minLength: 8300, maxLength: 8700, size: "max" })),
  });
  let compactions = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 60, size: "max" }), async (steps) => {
      const bytes = Buffer.from(lines(steps));
      const runs = await crossCheck({ name: "drawn", format: "mini-claude-code", bytes: () => bytes });
      expect(differencesOf(runs)).toEqual([]);
      compactions += compactionsOf(runs);
    }),
    { numRuns: runs(25), seed: 5 },
  );
  expect(compactions).toBeGreaterThan(120);
});

/** The next `tool` step, if any, answers the calls. */
function lines(steps: readonly { role: string; text: string }[]): string {
  let open: string | undefined;
  const records = steps.map(({ role, text }, index) => {
    if (role === "call") {
      open = `c${index}`;
      return {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: open, toolName: "bash", args: { text } }],
      };
    }
    if (role !== "tool") return { role, content: text };
    const toolCallId = open ?? "unknown";
    open = undefined;
    return { role, content: [{ type: "tool-result", toolCallId, toolName: "bash", result: text }] };
  });
  return records.map((record) => JSON.stringify(record)).join("\n");
}

it("an output is truncated on entry to about the program's size", () => {
  const text = "a line of some output, as it is read from a file\n".repeat(900);
  const message = (result: string) => [
    { role: "user", content: "q" },
    { role: "assistant", content: [{ type: "tool-call", toolCallId: "c", toolName: "read_file", args: {} }] },
    { role: "tool", content: [{ type: "tool-result", toolCallId: "c", toolName: "read_file", result }] },
    { role: "assistant", content: "done" },
  ];
  const bytes = Buffer.from(
    message(text)
      .map((record) => JSON.stringify(record))
      .join("\n"),
  );
  const source = { name: "drawn", format: "mini-claude-code", bytes: () => bytes };
  const { columns, tokens } = loadRecording(source, miniClaudeCodeEstimator);
  for (const preset of ["as-documented", "current"] as const) {
    const settings = resolveSettings(miniClaudeCodePolicy.settings(preset, { window: 128_000, agent: null }), {});
    const options = { preset, window: 128_000, counting: "estimate" } as const;
    const { context } = replay({ columns, tokens }, miniClaudeCodePolicy, settings, options);
    const exact = estimateMessagesTokens(message(truncateOutput("read_file", text, preset)).slice(0, 3));
    expect(Math.abs((context[1] ?? 0) - exact)).toBeLessThan(exact * 0.005);
  }
});
