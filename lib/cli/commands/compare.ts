import { bandsOfTotals, valuesOfRuns } from "@/lib/core/metrics/answered";
import { isBest } from "@/lib/core/metrics/difference";
import type { Band } from "@/lib/core/metrics/metric";
import { bandText, metricText } from "@/lib/core/metrics/metric-text";
import { metricOf } from "@/lib/core/metrics/values";
import { compareSession } from "@/lib/queries/answers/session-answers";
import { COMPARED_RUNS, type CompareAnswer, type SessionSummary } from "@/lib/queries/contract/schemas";
import { unpricedTexts } from "@/lib/queries/wire/least";
import { limitRemark, refusedRemark, windowRemark } from "@/lib/queries/wire/window-text";
import { pricesOf } from "@/lib/server/base/prices";
import type { RunArgument } from "../input/arguments";
import { type ReplayingOptions, requestOf, termsNotes } from "../input/price-options";
import { profileFile } from "../input/profile-file";
import { withSession } from "../input/session-file";
import { CliError, EXIT } from "../process/exit";
import { countedText, inheritedNote } from "../text/counting-text";
import { write } from "../text/output";
import { printable } from "../text/printable";

/** `compare FILE`: replays the session under several policies. */
export async function compare(file: string, given: readonly RunArgument[], options: ReplayingOptions): Promise<void> {
  if (given.length < COMPARED_RUNS.least || given.length > COMPARED_RUNS.most) {
    throw new CliError(
      EXIT.badArguments,
      `a comparison takes ${COMPARED_RUNS.least} to ${COMPARED_RUNS.most} policies.`,
    );
  }
  const profile = await profileFile(options.overhead, [file]);
  const prices = pricesOf(options.prices);
  const runs = given.map(({ policy, settings, schedule }) => ({
    ...requestOf(policy, settings, options),
    schedule,
  }));
  await withSession(file, options, async (session) => {
    const answer = await compareSession(session, { runs }, profile, prices);
    await write(options.json ? lines(answer) : readable(answer, session.summary));
  });
}

/** One line per run; the last line holds the difference and the remarks. */
function lines({ runs, ...rest }: CompareAnswer): string {
  return [...runs, rest].map((one) => `${JSON.stringify(one)}\n`).join("");
}

/** Bands by metric key, as answers name it. */
type Bands = Readonly<Record<string, Band | undefined>>;

const HEAD = 22;
const COLUMN = 24;

function readable({ runs, difference, remarks }: CompareAnswer, summary: SessionSummary): string {
  const names = runs.map((run) => `${run.policy}@${run.preset}  `);
  const isHindsight = (run: number) => runs[run]?.schedule === "best";
  const times = runs.map((_, run) => `${isHindsight(run) ? "best timing in hindsight" : "its own rule"}  `);
  const compacted = runs.some((_, run) => isHindsight(run)) ? [row("compacted at", times)] : [];
  const bands = runs.map(({ totals }): Bands => bandsOfTotals(totals));
  const rows = difference.flatMap((one) => {
    const unit = metricOf(one.metric)?.unit ?? "count";
    const own = bands.map((of) => of[one.metric]);
    const cells = valuesOfRuns(one, runs).map(
      (value, run) => `${metricText(unit, value, own[run]?.lowerBound)}${isBest(one, run, isHindsight) ? " *" : "  "}`,
    );
    const between = own.map((band) => (band === undefined ? "" : `${bandText(unit, band)}  `));
    return [
      row(metricName(one.metric), cells),
      ...(between.some((text) => text.trim() !== "") ? [row("", between)] : []),
    ];
  });
  const counted = runs.map((run) => `${countedText(run)}  `);
  // Each preset of an agent may have its own counting rule.
  const estimators = runs.map((run) => `${run.estimator}  `);
  const rules = new Set(estimators).size > 1 ? [row("token rule", estimators)] : [];
  const notes = [
    ...new Set(runs.flatMap(({ costTerms }) => termsNotes(costTerms))),
    ...unpricedTexts(runs.flatMap(({ totals }) => totals.unpricedModels ?? [])),
    ...inheritedNote(summary),
  ];
  const limits = runs.flatMap(({ policy, preset, thresholdTokens, window, refused }) =>
    [windowRemark(window) ?? [], limitRemark(thresholdTokens, window.tokens) ?? [], refusedRemark(refused) ?? []]
      .flat()
      .map((text) => `${policy}@${preset}: ${text}`),
  );
  const note =
    "* the best; the recorded trajectory is held fixed, under another policy the agent would have gone on differently.";
  return `${[row("", names), ...compacted, row("counted by", counted), ...rules, ...rows, ...remarks.map(({ text }) => text), ...limits, ...notes, note].map(printable).join("\n")}\n`;
}

function row(head: string, cells: readonly string[]): string {
  return `${head.padEnd(HEAD)}${cells.map((cell) => cell.padStart(COLUMN)).join("")}`.trimEnd();
}

/** A metric's name in the rows of a comparison. */
function metricName(key: string): string {
  const { replay, sweep, compare: alone } = metricOf(key)?.text ?? {};
  return replay ?? sweep ?? alone ?? key;
}
