import { CODEX_PRESETS, type CodexPreset } from "@/lib/agents/codex/base/presets";
import { codexEstimatorOf, codexMeasures } from "@/lib/agents/codex/estimator";
import { codexPolicy } from "@/lib/agents/codex/policy/policy";
import { sumOf } from "@/lib/core/base/numbers";
import type { Tokens } from "@/lib/core/base/units";
import { type CheckedAgent, crossCheckOf } from "@/verify/support/checked-agent";
import type { LoadedRecording } from "@/verify/support/loaded-recording";
import type { Variant } from "@/verify/support/variant";
import { ExactRun, summaryTokens } from "./exact-run";

/**
 * Compares Codex's two layers over any recording: the policy run by the engine, and the exact rules over the Codex items made of the recording's
 * messages. Each layer decides on its own before which requests it compacts. Then the kept rows and the sizes before and after must be the same.
 *
 * The unavoidable differences have one cause: the policy's numbers do not hold the text at a cut.
 * - A cut keeps whole characters, so it keeps up to 3 bytes fewer on each side than its budget, while the numbers assume the budget. They also assume
 *   that escaped characters are spread evenly over the text. Both amounts are known here: a cut text may differ by (JSON bytes that the numbers assume
 *   − its JSON bytes) / 4, and by the rounding of that, −1 to +2 tokens.
 * - If the limit is within such a difference, one layer may compact and the other not.
 * - With hardly any room for outputs, one note replaces several texts, while the numbers assume a marker for each cut. Such limits are not generated.
 *
 * Of another agent's messages only typed ones are user messages to Codex, since other agents' files lack the marks of messages that Codex inserts.
 * The recording's overhead is the same number in both layers.
 */
export const checked: CheckedAgent<CodexPreset> = {
  policy: codexPolicy,
  presets: CODEX_PRESETS,
  estimatorOf: codexEstimatorOf,
  measures: codexMeasures,
  variants: variantsOf,
  summaryTokens,
  notVaried: ["summaryTokens"],
  leastVaried: { toolOutputTokens: 20 },
  exactSide: () => (run) => new ExactRun(run).compare(),
};

export const crossCheck = crossCheckOf(checked);

function variantsOf(loaded: LoadedRecording, preset: CodexPreset): readonly Variant[] {
  // Only the limit is low: nine tenths of the window are never below it.
  const window = Math.max(WINDOW, 2 * sumOf(loaded.tokens));
  const ofPreset = preset === "current" ? currentChoices(loaded) : earlierChoices(loaded);
  return [...commonChoices(loaded), ...ofPreset].map((choice) => ({ window, ...choice }));
}

const WINDOW = 272_000;
const AFTER_PREFIX = { limitScope: "body_after_prefix" };

/** The choices for a preset. Without a window, it is one that is never filled. */
type Given = Omit<Variant, "window"> & Partial<Pick<Variant, "window">>;

function commonChoices(loaded: LoadedRecording): readonly Given[] {
  return [
    { label: "defaults", given: {} },
    { label: "low limit", given: tightSettings(loaded) },
  ];
}

function currentChoices(loaded: LoadedRecording): readonly Given[] {
  const [tight, budget, items] = [tightSettings(loaded), tightBudget(loaded), itemsTokens(loaded)];
  const narrow = Math.ceil(tight.autoCompactLimit / 0.95);
  const afterPrefix = (autoCompactLimit: Tokens) => ({ ...tight, ...AFTER_PREFIX, autoCompactLimit });
  return [
    { label: "low limit, little room", given: { ...tight, retainedTokens: budget } },
    { label: "low limit after the prefix", given: afterPrefix(Math.max(100, Math.floor(items / 12))) },
    {
      label: "a limit after the prefix beyond a narrow window, local",
      given: afterPrefix(Math.min(narrow, Math.max(150, Math.floor(items / 3)))),
      window: narrow,
    },
    { label: "low limit, empty summaries, local", given: { ...tight, remote: false, failSummary: "empty" } },
    { label: "low limit, little room, local", given: { ...tight, remote: false, userMessageTokens: budget } },
    { label: "low limit, the second summary fails", given: { ...tight, failSummary: "2" } },
  ];
}

function earlierChoices(loaded: LoadedRecording): readonly Given[] {
  const tight = tightSettings(loaded);
  return [
    { label: "low limit, empty summaries", given: { ...tight, failSummary: "empty" } },
    { label: "low limit, little room", given: { ...tight, userMessageTokens: tightBudget(loaded) } },
    { label: "low limit, every summary fails", given: { ...tight, failSummary: "always" } },
  ];
}

/** Settings with a limit that is reached several times, and with results that are cut. */
function tightSettings(loaded: LoadedRecording) {
  const limit = loaded.overhead + Math.max(150, Math.floor(itemsTokens(loaded) / 8));
  return { autoCompactLimit: limit, toolOutputTokens: 500 };
}

function itemsTokens({ tokens, overhead }: LoadedRecording): Tokens {
  return sumOf(tokens) - overhead;
}

/** A budget for less than half of the user messages. */
function tightBudget({ columns, transcript, rowsOf }: LoadedRecording): Tokens {
  const typed = transcript.messages.flatMap(({ origin }, index) => (origin === "typed" ? rowsOf(index) : []));
  return Math.max(4, Math.floor(sumOf(typed.map((row) => columns.bytes[row] ?? 0)) * 0.1));
}
