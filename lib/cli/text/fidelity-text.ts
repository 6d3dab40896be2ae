import { countText } from "@/lib/core/base/number-text";
import type { FidelityTable } from "@/lib/queries/contract/schemas";
import { aligned } from "./aligned";
import { calibrationText } from "./counting-text";

type Metrics = FidelityTable["rows"][number]["reanchored"];
type TableBoundary = FidelityTable["boundaries"][number];

/**
 * The checks as text: one row per preset, then every recorded compaction, every false alarm, and the files whose calibration is unreliable.
 * Empty if there are no checks.
 */
export function fidelityText({ rows, boundaries, alarms, doubtful }: FidelityTable): string {
  // These columns are shown if they have content.
  const neither = rows.some(({ overflow = 0, untold = 0 }) => overflow + untold > 0)
    ? ["overflow", "cannot be determined"]
    : [];
  const sections = [
    aligned(
      [
        ...["preset", "sessions", "recorded", "manual", ...neither, "method"],
        ...["hits", "within error", "misses", "false alarms", "before", "after"],
      ],
      rows.flatMap((row) => [
        [
          `${row.policy}@${row.preset}`,
          row.sessions,
          row.recorded,
          row.manual,
          ...(neither.length === 0 ? [] : [row.overflow ?? 0, row.untold ?? 0]),
          ...metrics("re-anchored", row.reanchored),
        ],
        ["", "", "", "", ...neither.map(() => ""), ...metrics("free-running", row.freeRunning)],
      ]),
    ),
    aligned(
      ["compaction", "request", "limit", "last sent", "would send", "recorded", "re-anchored", "free-running", "after"],
      boundaries.map((boundary) => [
        `${shortName(boundary.file)}${boundary.files > 1 ? ` (${boundary.files} files)` : ""}`,
        boundary.request,
        countText(boundary.threshold),
        withShare(boundary.lastRecorded, boundary.threshold),
        withShare(boundary.wouldSend, boundary.threshold),
        countText(boundary.tokensBefore),
        verdict(boundary, "reanchored"),
        verdict(boundary, "freeRunning"),
        afterError(boundary),
      ]),
    ),
    aligned(
      ["false alarm", "request", "method", "at"],
      alarms.map((alarm) => [
        shortName(alarm.file),
        alarm.request,
        `${alarm.figure === "reanchored" ? "re-anchored" : "free-running"}${alarm.withinError ? ", within error" : ""}`,
        countText(alarm.tokensBefore),
      ]),
    ),
    aligned(
      ["doubtful calibration", "factor and error"],
      doubtful.map(({ file, calibration }) => [shortName(file), calibrationText(calibration)]),
    ),
  ].filter((section) => section !== "");
  return sections.length === 0 ? "" : `${sections.join("\n\n")}\n`;
}

function metrics(label: string, { hits, withinError, misses, falseAlarms, errorBefore, errorAfter }: Metrics) {
  return [label, hits, withinError, misses, falseAlarms, error(errorBefore), error(errorAfter)];
}

/** The mean error, then the mean absolute error in brackets. */
function error(value: Metrics["errorBefore"]): string {
  return value === null ? "n/a" : `${signed(value.bias)} (${countText(value.meanAbsolute)})`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${countText(Math.abs(value))}`;
}

function withShare(value: number | null, limit: number | null): string {
  if (value === null || limit === null || limit === 0) return countText(value);
  return `${countText(value)} (${((value * 100) / limit).toFixed(1)} %)`;
}

/** `hit −1` means one request early; `within ±180` means that the result lies within the estimate's error. */
function verdict(boundary: TableBoundary, metric: "reanchored" | "freeRunning"): string {
  const { verdict: word, prediction, error: off } = boundary[metric];
  if (off !== null) return `within ±${countText(off)}`;
  if (word === "untold") return `cannot be determined (${MISSING[boundary.missing ?? "unknown"]})`;
  const offset = prediction === null ? 0 : prediction.request - boundary.request;
  return offset === 0 ? word : `${word} ${signed(offset)}`;
}

/** Evidence that a recording lacks. */
const MISSING = {
  call: "a call without a result",
  masked: "masked text",
  trimmed: "no beginning",
  window: "window unknown",
  idle: "compacted while idle",
  usage: "no recorded usage",
  unknown: "evidence missing",
} as const;

function afterError({ tokensAfter, reanchored: { prediction } }: TableBoundary): string {
  const predicted = prediction === null ? "" : ` (${signed(prediction.tokensAfter - (tokensAfter ?? 0))})`;
  return tokensAfter === null ? "n/a" : `${countText(tokensAfter)}${predicted}`;
}

/** Checkpoints of public collections have long names that differ only at their end. */
function shortName(file: string): string {
  return file.length <= NAME_CHARS ? file : `…${file.slice(-NAME_CHARS)}`;
}
const NAME_CHARS = 40;
