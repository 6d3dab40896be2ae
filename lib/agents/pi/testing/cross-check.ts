import type { Tokens } from "@/lib/core/base/units";
import type { Replay } from "@/lib/core/compaction/replay";
import type { Settings } from "@/lib/core/compaction/settings";
import { columnarRun } from "../../testing/columnar-run";
import { Comparison, type CrossCheck, type CrossCheckRun } from "../../testing/cross-check";
import type { Draws } from "../../testing/drawn-settings";
import { entriesBetween } from "../../testing/entries-between";
import { type LoadedRecording, loadRecording } from "../../testing/loaded-recording";
import { sumOf } from "../../testing/numbers";
import { callFails, type SteppedChoice, withDrawn } from "../../testing/stepped-run";
import { type Preparation, summaryText } from "../compaction";
import { KEEP_RECENT_TOKENS, RESERVE_TOKENS, TURN_CONTEXT } from "../constants";
import type { PiEntry } from "../entry";
import { piEstimatorOf, piMeasures } from "../estimator";
import { recordedEntry } from "../native";
import { piPolicy } from "../policy/policy";
import { PI_PRESETS, type PiPreset } from "../presets";
import { ExactRun, type Limits, SUMMARY_TOKENS } from "./exact-run";
import { placedSession } from "./placed-session";

/**
 * pi's two layers over one recording of any agent: the policy over numbers, run by the engine, against the exact rules over the
 * entries that the recording becomes. Compared to the token: which requests compact and why, every row that stays, and the
 * context before, after and at every request.
 *
 * What differs by construction: pi keeps a result that came later than usual when its call is cut off, the engine lets no result
 * stand without its call. The exact side drops such results too, by that rule and no other.
 */
export const crossCheck: CrossCheck = (source, draws) =>
  PI_PRESETS.flatMap((preset) => {
    const recording = loadRecording(source, piEstimatorOf(preset), piMeasures);
    return crossChecked(recording, preset, entriesBetween(source, recording, "pi", recordedEntry), draws);
  });

/** @param between see `Placing` */
export function crossChecked(
  recording: LoadedRecording,
  preset: PiPreset,
  between: ReadonlyMap<number, readonly PiEntry[]> = new Map(),
  draws?: Draws,
): readonly CrossCheckRun[] {
  const choices = variantsOf(recording).map(
    ({ label, limits: { window, ...limits }, failSummary, limited }): SteppedChoice => ({
      preset,
      label,
      window,
      given: { ...limits, failSummary, entryTruncation: limited },
    }),
  );
  return withDrawn(choices, piPolicy, recording, { but: [], draws }).map((choice) => {
    const { label, window } = choice;
    const comparison = new Comparison();
    const given = { summaryTokens: SUMMARY_TOKENS, ...choice.given };
    const run = { preset, window, given, boundsOf: Number.MAX_SAFE_INTEGER };
    const { settings, numbers } = columnarRun(recording, piPolicy, run, comparison);
    const session = placedSession(recording, { limited: settings.entryTruncation === true, between });
    compare(comparison, numbers, exactRun(comparison, session, preset, settings, window));
    return comparison.run(preset, label);
  });
}

/** A choice of settings. */
interface Variant {
  readonly label: string;
  readonly limits: Limits;
  readonly failSummary: string;
  readonly limited: boolean;
}

function variantsOf({ tokens, overhead }: LoadedRecording): readonly Variant[] {
  const messages = sumOf(tokens) - overhead;
  /** Room for a part of the messages beside the overhead, of which a share stays. */
  const tight = (parts: number, share: number): Limits => {
    const room = Math.max(20, Math.floor(messages / parts));
    const keepRecentTokens = Math.floor(room * share);
    return { window: overhead + room, reserveTokens: Math.floor(room / 10), keepRecentTokens };
  };
  const byDefault = { window: 200_000, reserveTokens: RESERVE_TOKENS, keepRecentTokens: KEEP_RECENT_TOKENS };
  const variant = (label: string, limits: Limits, more: Partial<Variant> = {}): Variant => ({
    label,
    limits,
    failSummary: "never",
    limited: false,
    ...more,
  });
  return [
    variant("defaults", byDefault),
    variant("defaults, outputs limited", byDefault, { limited: true }),
    variant("a half, nothing recent", tight(2, 0)),
    variant("a quarter, a tenth recent", tight(4, 0.1)),
    variant("an eighth, two fifths recent", tight(8, 0.4)),
    variant("an eighth, outputs limited", tight(8, 0.3), { limited: true }),
    variant("a quarter, more recent than fits", tight(4, 2)),
    variant("a sixth, the second summary fails", tight(6, 0.2), { failSummary: "2" }),
    variant("a sixth, every summary is empty", tight(6, 0.2), { failSummary: "empty" }),
    variant("a sixth, every summary fails", tight(6, 0.2), { failSummary: "always" }),
    variant("nothing fits", { window: 10, reserveTokens: 5, keepRecentTokens: Math.floor(messages / 10) }),
  ];
}

/** What the program may add to an empty answer. */
const EMPTY_WITH = [
  ["empty answers with the words of a split turn", TURN_CONTEXT],
  ["empty answers with files that were read", "<read-files>"],
  ["empty answers with files that were changed", "<modified-files>"],
] as const;

function exactRun(
  comparison: Comparison,
  session: ReturnType<typeof placedSession>,
  preset: PiPreset,
  settings: Settings,
  window: Tokens,
): ExactRun {
  const [reserveTokens, keepRecentTokens] = [Number(settings.reserveTokens), Number(settings.keepRecentTokens)];
  const answer = (prepared: Preparation) => {
    if (settings.failSummary !== "empty") return "s".repeat(4 * Number(settings.summaryTokens));
    const text = summaryText(prepared, {}, preset);
    for (const [what, words] of EMPTY_WITH) if (text.includes(words)) comparison.met(what);
    return text;
  };
  const fails = (compaction: number) => callFails(settings, compaction);
  return new ExactRun(session, { window, reserveTokens, keepRecentTokens }, preset, fails, answer);
}

function compare(comparison: Comparison, numbers: Replay, exact: ExactRun): void {
  const rows = numbers.entered.length;
  const shape = ({ request, trigger, outcome }: { request: number; trigger: string; outcome: string }) =>
    `${request} ${trigger} ${outcome}`;
  comparison.same("compactions", numbers.compactions.map(shape).join(", "), exact.compactions.map(shape).join(", "));
  for (const [index, one] of numbers.compactions.entries()) {
    const other = exact.compactions[index];
    if (other === undefined || other.request !== one.request) break;
    comparison.compared();
    const where = `compaction before request ${one.request}`;
    comparison.same(`${where}, size before`, one.tokensBefore, other.before);
    comparison.same(`${where}, summary`, one.summaryTokens, other.summary);
    comparison.same(`${where}, size after`, one.tokensAfter, other.after);
    comparison.same(
      `${where}, rows kept`,
      one.kept.filter((item) => item < rows),
      other.kept,
    );
  }
  comparison.same("context at every request", Array.from(numbers.context), exact.context);
}
