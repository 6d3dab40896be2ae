import { countedText, countText, durationText } from "@/lib/core/base/number-text";
import type { AccuracyRow, FidelityWire, SessionSummary } from "@/lib/queries/contract/schemas";
import { unpricedOfBill, unpricedTexts } from "@/lib/queries/wire/least";
import { allRequests, recordedPeak } from "@/lib/queries/wire/recorded-facts";
import { windowRemark, windowSizes, windowSourceText } from "@/lib/queries/wire/window-text";
import { inOrder } from "@/lib/server/base/in-order";
import { accuracyChoice } from "@/lib/server/read/numbers/accuracy";
import { LocalRunner } from "@/lib/server/threads/local-runner";
import type { IngestTask, TaskRunner } from "@/lib/server/threads/tasks";
import { fileBytes } from "../input/file-bytes";
import type { ReadingOptions } from "../input/session-file";
import { onceOnly, withInputFile } from "../input/standard-input";
import { EXIT, type ExitCode, exitCodeOf } from "../process/exit";
import { programRoot } from "../process/root";
import { billNotes, boundedUsd, inheritedText } from "../text/bill-text";
import { calibrationText } from "../text/counting-text";
import { write } from "../text/output";
import { printable } from "../text/printable";
import { startProgress } from "../text/progress";

export interface InspectOptions extends ReadingOptions {
  readonly json?: boolean;
  /** The estimators to compare with the recorded usage: `sizes`, `own` (the default), `all`, or ids separated by commas. */
  readonly accuracy?: string;
}

/** Above this many bytes, worker threads read the files: starting threads takes as long as reading this much. */
const POOL_BYTES = 48 << 20;

/** `inspect FILE…`: prints one summary per file, in the order given. Reports unreadable files and continues. */
export async function inspect(files: readonly string[], options: InspectOptions): Promise<ExitCode> {
  onceOnly(files);
  const accuracy = accuracyChoice(options.accuracy ?? "own");
  const runner = await runnerFor(files);
  const progress = await startProgress("reading", files.length);
  let exitCode: ExitCode = EXIT.done;
  try {
    for await (const summary of inOrder(files, (file) =>
      summaryOf(runner, file, { accuracy, format: options.format, session: options.session }),
    )) {
      progress.step();
      if (summary instanceof Error) exitCode = await progress.apart(() => exitCodeOf(summary));
      else await progress.apart(() => write(`${options.json ? JSON.stringify(summary) : readable(summary)}\n`));
    }
  } finally {
    progress.end();
    await runner.close();
  }
  return exitCode;
}

function summaryOf(
  runner: TaskRunner,
  file: string,
  choice: Pick<IngestTask, "accuracy" | "format" | "session">,
): Promise<SessionSummary> {
  const wanted = { summaryOnly: true, fidelity: { recordedOnly: true }, resume: true, ...choice } as const;
  return withInputFile(file, async (input) => (await runner.run("ingest", { ...input, ...wanted })).summary);
}

async function runnerFor(files: readonly string[]): Promise<TaskRunner> {
  const bytes = files.reduce((sum, file) => sum + (fileBytes(file) ?? 0), 0);
  if (files.length < 2 || bytes < POOL_BYTES) return new LocalRunner();
  const { PoolRunner } = await import("@/lib/server/threads/pool");
  return new PoolRunner(programRoot());
}

/** The summary in a few lines. */
function readable(summary: SessionSummary): string {
  const { messages, records, contextWindow } = summary;
  const remark = windowRemark(contextWindow);
  const lines = [
    summary.file,
    `  ${summary.agent ?? summary.format}${summary.agentVersion === null ? "" : ` ${summary.agentVersion}`}${summary.title === null ? "" : `: ${summary.title}`}`,
    `  ${summary.startedAt ?? "n/a"} – ${summary.endedAt ?? "n/a"}, models: ${summary.models.join(", ") || "n/a"}`,
    `  ${requestsText(summary)}, ${countedText(messages.user, "typed message")}, ${countedText(messages.toolCalls, "tool call")}`,
    `  window ${windowSizes(contextWindow)} (${windowSourceText(contextWindow)}), peak ${countText(recordedPeak(summary))}, last ${countText(summary.lastContext)}`,
    ...(remark === undefined ? [] : [`  ${remark}`]),
    ...sentLine(summary),
    ...costLine(summary),
    `  ${countedText(summary.compactions.length, "compaction")}${compactingText(summary)}, ${countedText(summary.sidechains, "sidechain")}`,
    `  ${countedText(records.total, "record")}, ${countedText(records.damagedTotal, "damaged line")}`,
    ...resumeLines(summary),
    ...sessionLines(summary),
    ...(summary.fidelity == null ? [] : [fidelityLine(summary.fidelity)]),
    ...(summary.accuracy ?? []).map(accuracyLine),
  ];
  return lines.map(printable).join("\n");
}

/** Number of responses, and of those without recorded usage. */
function requestsText(summary: SessionSummary): string {
  const { requests, requestsWithoutUsage: without = 0 } = summary;
  const all = `${countedText(allRequests(summary), "request")}${inheritedText(summary.bill?.inherited ?? null)}`;
  if (without === 0) return all;
  if (requests === 0) return `${all}, none with usage`;
  const { estimatedSent } = summary;
  const tokens = estimatedSent === undefined ? "" : `, about ${countedText(estimatedSent, "token")}`;
  return `${all}, ${countText(without)} without usage${tokens}`;
}

/** All sent tokens; empty if no request has usage. */
function sentLine({ tokensSent }: SessionSummary): readonly string[] {
  return tokensSent === undefined ? [] : [`  ${countedText(tokensSent, "token")} sent`];
}

/** The session's cost if known, its requests outside the main chain, and the models without a price. */
function costLine({ costUsd, bill }: SessionSummary): readonly string[] {
  if (costUsd === undefined) return [];
  const notes = [...(bill == null ? [] : billNotes(bill)), ...unpricedTexts(unpricedOfBill(bill))];
  const known = costUsd.total !== null || costUsd.unpricedModels !== undefined;
  return [...(known ? [`${boundedUsd(costUsd)} by list prices`] : []), ...notes].map((one) => `  ${one}`);
}

/** Content that a resume would load, if it differs from the session's context. */
function resumeLines({ resume }: SessionSummary): readonly string[] {
  if (resume == null || resume.missing.items + resume.extra.items === 0) return [];
  const { messages, tokens, missing, extra } = resume;
  return [
    `  a resume would load ${countedText(messages, "message")}, ${countedText(tokens, "token")} (estimated): ${countedText(missing.items, "item")} missing, ${countText(extra.items)} back again`,
  ];
}

/** The sessions of a file that holds several, by the keys that `--session` takes. */
function sessionLines({ fileSessions }: SessionSummary): readonly string[] {
  if (fileSessions == null || fileSessions.chosen !== null) return [];
  const listed = fileSessions.sessions.slice(0, 10);
  const more = fileSessions.total - listed.length;
  return [
    `  holds ${countedText(fileSessions.total, "session")}; --session takes one of:`,
    ...listed.map(
      ({ key, title, startedAt, line, records }) =>
        `    ${key}: line ${line}, ${countedText(records, "record")}, ${startedAt ?? "n/a"}${title === null ? "" : `, ${title}`}`,
    ),
    ...(more > 0 ? [`    and ${countText(more)} more`] : []),
  ];
}

/** Recorded time of the compactions; empty without any. */
function compactingText({ compactions }: SessionSummary): string {
  const durations = compactions.flatMap(({ durationMs }) => durationMs ?? []);
  if (compactions.length === 0) return "";
  if (durations.length === 0) return " (duration n/a)";
  const sum = durationText(durations.reduce((all, one) => all + one, 0));
  return durations.length === compactions.length ? ` (${sum})` : ` (${sum} in ${durations.length} of them)`;
}

/** Number of recorded compactions that the agent's own policy predicts. */
function fidelityLine({ preset, threshold, reanchored, freeRunning, overflow = 0, untold = 0 }: FidelityWire): string {
  const met = ({ hits, withinError, misses, falseAlarms }: FidelityWire["reanchored"]) =>
    `${hits} of ${hits + withinError + misses} met, ${withinError === 0 ? "" : `${withinError} within error, `}${countedText(falseAlarms, "false alarm")}`;
  const neither = `${overflow === 0 ? "" : `; ${overflow} after an overflow error`}${untold === 0 ? "" : `; ${untold} cannot be determined`}`;
  return `  own policy (${preset}, limit ${countText(threshold)}): re-anchored ${met(reanchored)}; free-running ${met(freeRunning)}${neither}`;
}

function accuracyLine({ estimator, pairs, bias, mape, tokenizer, triggerShift, calibration }: AccuracyRow): string {
  const shift = triggerShift === null ? "n/a" : `${signed(triggerShift)} requests`;
  const whose = { model: "the model's tokenizer", "other-model": "another model's tokenizer", rule: "rule of thumb" };
  return `  ${estimator} (${whose[tokenizer]}): bias ${signed(bias * 100, 1)} %, error ${(mape * 100).toFixed(1)} % over ${countedText(pairs, "pair")}, trigger shift ${shift}${calibratedText(calibration)}`;
}

function calibratedText(calibration: AccuracyRow["calibration"]): string {
  if (calibration === null) return "";
  return `, calibrated ${calibrationText(calibration)}${calibration.doubts.length === 0 ? "" : " (doubtful)"}`;
}

function signed(value: number, digits = 0): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;
}
