import { MAX_OUTPUT_TOKENS, PRUNE_MINIMUM, PRUNE_PROTECT } from "@/lib/agents/opencode/base/constants";
import { OPENCODE_PRESETS } from "@/lib/agents/opencode/base/presets";
import { opencodeEstimator, opencodeMeasures } from "@/lib/agents/opencode/estimator";
import { opencodePolicy } from "@/lib/agents/opencode/policy/policy";
import { sumOf } from "@/lib/core/base/numbers";
import type { Tokens } from "@/lib/core/base/units";
import type { Settings } from "@/lib/core/compaction/policy/settings";
import { type CheckedAgent, crossCheckOf, wideBounds } from "@/verify/support/checked-agent";
import { compareChanges } from "@/verify/support/compared-changes";
import type { LoadedRecording } from "@/verify/support/loaded-recording";
import { callFails } from "@/verify/support/stepped-run";
import type { Variant } from "@/verify/support/variant";
import { ExactRun } from "./exact-run";

/**
 * Compares opencode's two layers over one recording of any agent: the policy over numbers, run by the engine, and the exact rules over the messages
 * as they are sent. Both must agree to the token on which requests change the history and how, on every kept row, on every cleared output, and on the
 * context before, after and at every request.
 *
 * One difference follows from the construction: in opencode a result is part of its response and cannot lose it. If a recording's result came late
 * and its call is cut off, both layers drop the result with the call, by the engine's rule.
 */
export const checked: CheckedAgent = {
  policy: opencodePolicy,
  presets: OPENCODE_PRESETS,
  estimatorOf: () => opencodeEstimator,
  measures: opencodeMeasures,
  variants: variantsOf,
  summaryTokens: 60,
  // The text around a summary takes 13 tokens in any case.
  leastVaried: { summaryTokens: 20 },
  boundsOf: wideBounds,
  exactSide: (recording) => (run) => compareChanges(run, exactRun(recording, run.settings, run.window)),
};

export const crossCheck = crossCheckOf(checked);

function variantsOf({ tokens, overhead }: LoadedRecording): readonly Variant[] {
  const messages = sumOf(tokens) - overhead;
  /** Space for a part of the messages in addition to the overhead and the answer. */
  const tight = (label: string, parts: number, given: Variant["given"]): Variant => {
    const room = Math.max(100, Math.floor(messages / parts));
    return { label, window: overhead + room + 100, given: { maxOutputTokens: 100, ...given } };
  };
  const some = (share: number) => Math.floor(messages * share);
  return [
    { label: "defaults", window: 200_000, given: {} },
    { label: "defaults, clearing", window: 200_000, given: { prune: true } },
    tight("a quarter", 4, {}),
    tight("an eighth, a reserve", 8, { reserved: 50 }),
    tight("a half, an input limit of a quarter", 2, { inputLimit: some(0.25) }),
    tight("a quarter, the rule of 2025", 4, { overflowRule: "2025" }),
    tight("an eighth, the rule of 2025, an input limit", 8, { overflowRule: "2025", reserved: 50 }),
    tight("a quarter, five turns", 4, { tailTurns: 5, preserveRecentTokens: some(0.1) }),
    tight("an eighth, a turn of any size", 8, { tailTurns: 1, preserveRecentTokens: 1_000_000 }),
    tight("a sixth, little of a turn", 6, { tailTurns: 1, preserveRecentTokens: some(0.02) }),
    tight("a third, no turn", 3, { tailTurns: 0 }),
    tight("a sixth, the second summary fails", 6, { failSummary: "2" }),
    tight("a sixth, clearing, the second summary fails", 6, {
      prune: true,
      pruneProtect: some(0.02),
      pruneMinimum: some(0.01),
      failSummary: "2",
    }),
    tight("a quarter, every summary is empty", 4, { failSummary: "empty" }),
    tight("a half, every summary fails", 2, { failSummary: "always" }),
    { label: "clearing all", window: 10_000_000, given: { prune: true, pruneProtect: 0, pruneMinimum: 0 } },
    {
      label: "clearing",
      window: 10_000_000,
      given: { prune: true, pruneProtect: some(0.02), pruneMinimum: some(0.02) },
    },
    tight("a third, clearing", 3, { prune: true, pruneProtect: some(0.02), pruneMinimum: some(0.01), tailTurns: 4 }),
  ];
}

function exactRun(recording: LoadedRecording, settings: Settings, window: Tokens): ExactRun {
  const {
    overflowRule,
    inputLimit,
    reserved,
    maxOutputTokens,
    tailTurns,
    preserveRecentTokens,
    prune,
    pruneProtect,
    pruneMinimum,
  } = settings;
  const optional = (value: unknown) => (typeof value === "number" ? value : undefined);
  const { failSummary } = settings;
  return new ExactRun(recording, {
    limit: {
      context: window,
      output: 0,
      input: optional(inputLimit) || (optional(reserved) === undefined ? undefined : window),
    },
    is2025: overflowRule === "2025",
    overflow: { reserved: optional(reserved), maxOutput: optional(maxOutputTokens) ?? MAX_OUTPUT_TOKENS },
    tail: { turns: optional(tailTurns), tokens: optional(preserveRecentTokens) },
    prune:
      prune === true
        ? { protect: optional(pruneProtect) ?? PRUNE_PROTECT, minimum: optional(pruneMinimum) ?? PRUNE_MINIMUM }
        : undefined,
    summaryTokens: failSummary === "empty" ? 0 : Number(settings.summaryTokens),
    fails: (call) => callFails(settings, call),
  });
}
