import { KEEP_RECENT_TOKENS, RESERVE_TOKENS, TURN_CONTEXT } from "@/lib/agents/pi/base/constants";
import { PI_PRESETS, type PiPreset } from "@/lib/agents/pi/base/presets";
import { piEstimatorOf, piMeasures } from "@/lib/agents/pi/estimator";
import type { PiEntry } from "@/lib/agents/pi/messages/entry";
import { nativeEntries, recordedEntry } from "@/lib/agents/pi/messages/native";
import { piPolicy } from "@/lib/agents/pi/policy/policy";
import { sumOf } from "@/lib/core/base/numbers";
import type { Tokens } from "@/lib/core/base/units";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";
import { type CheckedAgent, type CheckedRun, crossCheckOf, wideBounds } from "@/verify/support/checked-agent";
import { compareChanges } from "@/verify/support/compared-changes";
import { entriesBetween } from "@/verify/support/entries-between";
import type { LoadedRecording } from "@/verify/support/loaded-recording";
import { placedSteps } from "@/verify/support/placed-entries";
import { callFails } from "@/verify/support/stepped-run";
import type { Variant } from "@/verify/support/variant";
import { type Preparation, summaryText } from "./compaction";
import { ExactRun } from "./exact-run";
import { limitedEntry } from "./limited-entry";

/**
 * Compares pi's two layers over one recording of any agent: the policy over numbers, run by the engine, and the exact rules over the entries that the
 * recording becomes. Both must agree to the token on which requests compact and why, on every kept row, and on the context before, after and at every
 * request.
 *
 * One difference follows from the construction: if a result came late and its call is cut off, pi keeps the result, but the engine allows no result
 * without its call. The exact side drops such results too, only by that rule.
 */
export const checked: CheckedAgent<PiPreset> = {
  policy: piPolicy,
  presets: PI_PRESETS,
  estimatorOf: piEstimatorOf,
  measures: piMeasures,
  variants: variantsOf,
  summaryTokens: 40,
  boundsOf: wideBounds,
  exactSide: (recording) => {
    const between = entriesBetween(recording, "pi", recordedEntry);
    return (run) => compareChanges(run, exactRun(run, between));
  },
};

export const crossCheck = crossCheckOf(checked);

function variantsOf({ tokens, overhead }: LoadedRecording): readonly Variant[] {
  const messages = sumOf(tokens) - overhead;
  const variant = (label: string, window: Tokens, given: Variant["given"]) => ({
    label,
    window,
    given: { entryTruncation: false, ...given },
  });
  /** Room for the overhead and a part of the messages; a share of the room is kept. */
  const tight = (label: string, parts: number, share: number, more: Variant["given"] = {}): Variant => {
    const room = Math.max(20, Math.floor(messages / parts));
    const keepRecentTokens = Math.floor(room * share);
    return variant(label, overhead + room, { reserveTokens: Math.floor(room / 10), keepRecentTokens, ...more });
  };
  const byDefault = { reserveTokens: RESERVE_TOKENS, keepRecentTokens: KEEP_RECENT_TOKENS };
  return [
    variant("defaults", 200_000, byDefault),
    variant("defaults, outputs limited", 200_000, { ...byDefault, entryTruncation: true }),
    tight("a half, nothing recent", 2, 0),
    tight("a quarter, a tenth recent", 4, 0.1),
    tight("an eighth, two fifths recent", 8, 0.4),
    tight("an eighth, outputs limited", 8, 0.3, { entryTruncation: true }),
    tight("a quarter, more recent than fits", 4, 2),
    tight("a sixth, the second summary fails", 6, 0.2, { failSummary: "2" }),
    tight("a sixth, every summary is empty", 6, 0.2, { failSummary: "empty" }),
    tight("a sixth, every summary fails", 6, 0.2, { failSummary: "always" }),
    variant("nothing fits", 10, { reserveTokens: 5, keepRecentTokens: Math.floor(messages / 10) }),
  ];
}

/** Texts that the program may add to an empty answer. */
const EMPTY_WITH = [
  ["empty answers with the words of a split turn", TURN_CONTEXT],
  ["empty answers with files that were read", "<read-files>"],
  ["empty answers with files that were changed", "<modified-files>"],
] as const;

function exactRun(
  { recording, preset, settings, window, comparison }: CheckedRun<PiPreset>,
  between: ReadonlyMap<number, readonly PiEntry[]>,
): ExactRun {
  const limited = settings.entryTruncation === true;
  const natives = (message: Message, contents: readonly BlockContent[]) =>
    nativeEntries(message, contents, recording.format).map(({ entry, blocks }) => {
      return { blocks, entry: limited ? limitedEntry(entry, blocks, message, contents) : entry };
    });
  const steps = placedSteps(recording, natives, between);
  const [reserveTokens, keepRecentTokens] = [Number(settings.reserveTokens), Number(settings.keepRecentTokens)];
  const answer = (prepared: Preparation) => {
    if (settings.failSummary !== "empty") return "s".repeat(4 * Number(settings.summaryTokens));
    const text = summaryText(prepared, {}, preset);
    for (const [what, words] of EMPTY_WITH) if (text.includes(words)) comparison.met(what);
    return text;
  };
  const fails = (compaction: number) => callFails(settings, compaction);
  return new ExactRun(recording, steps, { window, reserveTokens, keepRecentTokens }, preset, fails, answer);
}
