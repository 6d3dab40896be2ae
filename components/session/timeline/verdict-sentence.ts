import type { useTranslations } from "use-intl";
import type { Format } from "@/components/format/format";
import type { Opening } from "@/components/session/shared/state/replay";
import { isComparable } from "@/lib/core/compaction/counting";
import type { Calibration } from "@/lib/core/context/calibration";
import type { Compared } from "@/lib/core/metrics/compared";
import type { MetricKey } from "@/lib/core/metrics/registry";

type Words = ReturnType<typeof useTranslations<"replay.verdict">>;

/** One part of the verdict; parts that are better or worse are coloured, unless the confidence is low or the direction of the cost uncertain. */
interface VerdictPart {
  readonly text: string;
  readonly effect?: "better" | "worse";
}

/** The verdict on a replay: its sentence in parts, and its confidence. */
export interface Verdict {
  readonly lead: string;
  readonly parts: readonly VerdictPart[];
  /** True if the replay equals the recording. */
  readonly isAsRecorded?: true;
  /** Absent if nothing was estimated that the recording does not hold. */
  readonly confidence?: string;
}

/** Out-of-sample error up to which the confidence may be high. Our choice. */
const HIGH_CONFIDENCE_ERROR = 0.05;

type Outcome = Pick<Compared, "basis" | "metrics" | "bands" | "calibration">;

/** A replay that is compared with the recording. */
type Replayed = Outcome & {
  /** Dollars for its summary calls; absent or `null` if unknown. */
  readonly summaryCallsUsd?: number | null | undefined;
};

/**
 * Compares a replay with the recording in one sentence. Metrics without a value are left out. All differences are left out if one side is an estimate
 * that is not adjusted to the other side's usage.
 * @param lead names the trigger or the policy
 */
export function verdictOf(
  { recording, replayed, lead }: { readonly recording: Outcome; readonly replayed: Replayed; readonly lead: string },
  t: Words,
  format: Format,
): Verdict {
  const is = replayed.metrics.compactions ?? 0;
  const was = recording.metrics.compactions ?? 0;
  if (!isComparable(recording.basis, replayed.basis)) {
    const parts = [{ text: t("compactionsApart", { count: is, recorded: format.count(was) }) }];
    return { lead, parts, confidence: t("confidence.lowEstimate") };
  }
  const asRecorded = { text: t("compactionsSame", { count: was }) };
  // A replay that always equals the recorded usage may still estimate requests without usage differently.
  const isRecorded = replayed.basis === "recorded" && is === was;
  if (isRecorded || SAME.every((key) => isEqual(recording.metrics[key], replayed.metrics[key]))) {
    return { lead, parts: [{ text: t("nothing", { compactions: asRecorded.text }) }], isAsRecorded: true };
  }
  const compactions = is === was ? asRecorded : { text: t("compactions", { count: is, recorded: format.count(was) }) };
  const parts: readonly VerdictPart[] = [
    compactions,
    ...costPart(recording, replayed, t, format),
    ...refetchPart(recording, replayed, t, format),
  ];
  const { level, text } = confidenceOf(recording, replayed, t, format);
  if (level === undefined) return { lead, parts };
  if (level !== "low" || parts.every(({ effect }) => effect === undefined)) return { lead, parts, confidence: text };
  const plain = parts.map((part) => ({ text: part.text }));
  return { lead, parts: plain, confidence: t("confidence.uncertain", { confidence: text }) };
}

type Swept = Omit<Opening, "over">;

/** The trigger's name at the beginning of a verdict: the result of a quick sweep, if it found one. */
export function triggerLead(swept: Swept | undefined, tokens: string, t: Words): string {
  if (swept?.best === undefined) return t("at", { tokens });
  const { tried: count, thrashing } = swept;
  return t(swept.isPriced ? "cheapest" : "fewest", { count, thrashing, tokens });
}

/** A sentence that no tried trigger is cheaper, with the saving of the best timing in hindsight, if there is one. */
export function noneCheaperText(
  { tried, isPriced, thrashing }: Swept,
  { metrics: { costUsd, bestUsd }, bands }: Pick<Outcome, "metrics" | "bands">,
  t: Words,
  format: Format,
): string {
  const none = t(isPriced ? "noneCheaper" : "noneFewer", { count: tried, thrashing });
  if (costUsd === null || bestUsd === null || bestUsd >= costUsd * (1 - MIN_SHARE)) return none;
  // Two lower bounds lack the same part: their difference is valid, but its share is not.
  const isLeast = bands.bestUsd?.lowerBound === true;
  const difference = isLeast ? format.usdDifference(bestUsd - costUsd) : format.change((bestUsd - costUsd) / costUsd);
  return `${none} ${t("bestTiming", { usd: format.usd(bestUsd, isLeast), difference })}`;
}

/** A saving below this share is not worth a sentence. */
const MIN_SHARE = 0.005;

/** Metrics that are all equal if a replay equals the recording. */
const SAME: readonly MetricKey[] = ["compactions", "tokensSent", "costUsd", "neededAgain", "neededAgainTokens"];

function isEqual(one: number | null, other: number | null): boolean {
  return one === null || other === null || one === other;
}

/**
 * The difference in cost. Lower bounds of both sides lack the output of the same responses, so their difference is valid, but its share is not: both
 * costs are given instead. A bound and an exact cost have no known difference. The recording's cost lacks its summary calls: a replay that costs more
 * only by its own is not worse.
 */
function costPart(recording: Outcome, replayed: Replayed, t: Words, format: Format): readonly VerdictPart[] {
  const [was, is] = [recording.metrics.costUsd, replayed.metrics.costUsd];
  if (was === null || is === null) return [];
  const [wasLeast, isLeast] = [recording, replayed].map(({ bands }) => bands.costUsd?.lowerBound === true);
  const costs = { simulated: format.usd(is, isLeast), recorded: format.usd(was, wasLeast) };
  const usd = format.usdDifference(is - was).replace("$", `${WORD_JOINER}$$`);
  if (wasLeast !== isLeast) return [{ text: t("costBounds", costs) }];
  if (is === was) return [{ text: t("costSame") }];
  const calls = (recording.metrics.compactions ?? 0) > 0 ? (replayed.summaryCallsUsd ?? 0) : 0;
  const isOfCalls = is > was && is - was < calls;
  const effect = isOfCalls || mayBeEither(recording, replayed) ? {} : { effect: effectOf(is - was) };
  if (isLeast) return [{ text: t("costLeast", { usd, ...costs }), ...effect }];
  const share = was === 0 ? "" : format.change((is - was) / was);
  if (isOfCalls && was > 0) return [{ text: t("costOfCalls", { usd, share, calls: format.usd(calls) }) }];
  return [{ text: was === 0 ? usd : t("cost", { usd, share }), ...effect }];
}

/** True if the recorded cost lies in the range of the replay's, so that either may be lower. Lower bounds of both lack the same part. */
function mayBeEither(recording: Outcome, replayed: Outcome): boolean {
  const [was, is, band] = [recording.metrics.costUsd, replayed.metrics.costUsd, replayed.bands.costUsd];
  if (was === null || is === null || band === undefined) return false;
  if (band.lowerBound !== (recording.bands.costUsd?.lowerBound === true)) return false;
  return is < was ? band.high > was : is > was && band.low < was;
}

/** Between a sign and a dollar sign, where a line could break otherwise. */
const WORD_JOINER = "\u2060";

function refetchPart(recording: Outcome, replayed: Outcome, t: Words, format: Format): readonly VerdictPart[] {
  const [was, is] = [recording.metrics.neededAgain, replayed.metrics.neededAgain];
  if (was === null || is === null || (was === 0 && is === 0)) return [];
  const tokens = (replayed.metrics.neededAgainTokens ?? 0) - (recording.metrics.neededAgainTokens ?? 0);
  const size = `${tokens < 0 ? "−" : "+"}${format.short(Math.abs(tokens))}`;
  if (is === was) return [{ text: t("refetchesSame", { count: is }) }];
  const values = { count: Math.abs(is - was), tokens: size };
  // More re-fetches may have fewer tokens together: then neither number alone says which is better.
  if (tokens * (is - was) < 0) return [{ text: t(is > was ? "refetchesSmaller" : "refetchesLarger", values) }];
  return [{ text: t(is > was ? "refetchesMore" : "refetchesFewer", values), effect: effectOf(is - was) }];
}

function effectOf(difference: number): "better" | "worse" {
  return difference < 0 ? "better" : "worse";
}

type Level = "high" | "moderate" | "low";

/**
 * Confidence in a replay, and its word with the reasons; no level if it is counted by recorded usage. It is not high if its range of costs includes
 * the recorded cost.
 */
function confidenceOf(
  recording: Outcome,
  replayed: Outcome,
  t: Words,
  format: Format,
): { readonly level?: Level; readonly text: string } {
  const { basis, calibration } = replayed;
  if (basis === "recorded") return { text: "" };
  if (basis === "estimate" || calibration === undefined) return { level: "low", text: t("confidence.lowNoUsage") };
  const { factor, outOfSampleError, doubts } = calibration;
  const error = format.percent(outOfSampleError, outOfSampleError < 0.01 ? 1 : 0);
  const isEither = mayBeEither(recording, replayed);
  const found = levelOf(calibration);
  const level = found === "high" && isEither ? "moderate" : found;
  const text = doubts.includes("factor")
    ? t("confidence.lowFactor", { error, factor: factor.toFixed(2) })
    : t(`confidence.${level}`, { error });
  return { level, text: isEither ? t("confidence.costRange", { confidence: text }) : text };
}

function levelOf({ outOfSampleError, doubts }: Calibration): Level {
  if (doubts.length > 0) return "low";
  return outOfSampleError <= HIGH_CONFIDENCE_ERROR ? "high" : "moderate";
}
