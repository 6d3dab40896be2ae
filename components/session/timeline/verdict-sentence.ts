import type { useTranslations } from "use-intl";
import type { Format } from "@/components/format/format";
import { isComparable } from "@/lib/core/compaction/counting";
import type { Calibration } from "@/lib/core/context/calibration";
import type { Compared } from "@/lib/core/metrics/compared";
import type { MetricKey } from "@/lib/core/metrics/registry";

type Words = ReturnType<typeof useTranslations<"replay.verdict">>;

/** One part of the verdict; parts that are better or worse are coloured. */
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

/** A replay that differs from the recording by this error or less has high confidence. Source: ours. */
const HIGH_CONFIDENCE_ERROR = 0.05;

type Outcome = Pick<Compared, "basis" | "metrics" | "bands" | "calibration">;

/**
 * Compares a replay with the recording in one sentence. Metrics without a value are left out, and so are all differences if one side is an
 * estimate that is not adjusted to the usage of the other.
 * @param lead names the trigger or the policy
 */
export function verdictOf(
  { recording, replayed, lead }: { readonly recording: Outcome; readonly replayed: Outcome; readonly lead: string },
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
  const parts = [
    compactions,
    ...costPart(recording, replayed, t, format),
    ...refetchPart(recording, replayed, t, format),
  ];
  const confidence = confidenceOf(replayed, t, format);
  return { lead, parts, ...(confidence === undefined ? {} : { confidence }) };
}

/** Metrics that are all equal if a replay equals the recording. */
const SAME: readonly MetricKey[] = ["compactions", "tokensSent", "costUsd", "neededAgain", "neededAgainTokens"];

function isEqual(one: number | null, other: number | null): boolean {
  return one === null || other === null || one === other;
}

/**
 * The difference in cost. Lower bounds of both sides lack the output of the same responses, so their difference stands, but its share does not: both
 * costs are given instead. A bound and an exact cost have no known difference.
 */
function costPart(recording: Outcome, replayed: Outcome, t: Words, format: Format): readonly VerdictPart[] {
  const [was, is] = [recording.metrics.costUsd, replayed.metrics.costUsd];
  if (was === null || is === null) return [];
  const [wasLeast, isLeast] = [recording, replayed].map(({ bands }) => bands.costUsd?.lowerBound === true);
  const costs = { simulated: format.usd(is, isLeast), recorded: format.usd(was, wasLeast) };
  if (wasLeast !== isLeast) return [{ text: t("costBounds", costs) }];
  if (is === was) return [{ text: t("costSame") }];
  const usd = format.usdDifference(is - was);
  if (isLeast) return [{ text: t("costLeast", { usd, ...costs }), effect: effectOf(is - was) }];
  const text = was === 0 ? usd : t("cost", { usd, share: format.change((is - was) / was) });
  return [{ text, effect: effectOf(is - was) }];
}

function refetchPart(recording: Outcome, replayed: Outcome, t: Words, format: Format): readonly VerdictPart[] {
  const [was, is] = [recording.metrics.neededAgain, replayed.metrics.neededAgain];
  if (was === null || is === null || (was === 0 && is === 0)) return [];
  const tokens = (replayed.metrics.neededAgainTokens ?? 0) - (recording.metrics.neededAgainTokens ?? 0);
  const size = `${tokens < 0 ? "−" : "+"}${format.short(Math.abs(tokens))}`;
  if (is === was) return [{ text: t("refetchesSame", { count: is }) }];
  const count = Math.abs(is - was);
  return [
    { text: t(is > was ? "refetchesMore" : "refetchesFewer", { count, tokens: size }), effect: effectOf(is - was) },
  ];
}

function effectOf(difference: number): "better" | "worse" {
  return difference < 0 ? "better" : "worse";
}

/** Confidence in the estimates of a replay, as a word with its reason; `undefined` if it is counted by recorded usage. */
function confidenceOf({ basis, calibration }: Outcome, t: Words, format: Format): string | undefined {
  if (basis === "recorded") return undefined;
  if (basis === "estimate" || calibration === undefined) return t("confidence.lowNoUsage");
  const { factor, outOfSampleError, doubts } = calibration;
  const error = format.percent(outOfSampleError, outOfSampleError < 0.01 ? 1 : 0);
  if (doubts.includes("factor")) return t("confidence.lowFactor", { error, factor: factor.toFixed(2) });
  return t(`confidence.${levelOf(calibration)}`, { error });
}

function levelOf({ outOfSampleError, doubts }: Calibration): "high" | "moderate" | "low" {
  if (doubts.length > 0) return "low";
  return outOfSampleError <= HIGH_CONFIDENCE_ERROR ? "high" : "moderate";
}
