import { tokenError } from "@/lib/core/analysis/fidelity";
import type { CheckedBoundaryWire, FidelityTable, FidelityWire, SessionSummary } from "@/lib/queries/contract/types";

export interface CheckedFile {
  readonly file: string;
  readonly sessionId: string | null;
  readonly requests: number;
  readonly fidelity: FidelityWire;
}

const METRICS = ["reanchored", "freeRunning"] as const;
type Metric = (typeof METRICS)[number];
type TableRow = FidelityTable["rows"][number];
type TableBoundary = FidelityTable["boundaries"][number];

/** The part of a summary that the table needs; `undefined` if nothing could be checked. */
export function checkedFile({ file, sessionId, requests, fidelity }: SessionSummary): CheckedFile | undefined {
  return fidelity == null ? undefined : { file, sessionId, requests, fidelity };
}

/**
 * The checks of many files as one table, with one row per policy and preset. Copies of a growing session contain the same compactions. Each
 * compaction counts once, as checked in the longest file that holds it. False alarms count only in the longest file of a session.
 */
export function fidelityTable(files: readonly CheckedFile[]): FidelityTable {
  const longestFirst = [...files].sort((a, b) => b.requests - a.requests || (a.file < b.file ? -1 : 1));
  const boundaries = distinctBoundaries(longestFirst);
  const longest = longestOfSession(longestFirst);
  const alarms = longest.flatMap(({ file, fidelity }) =>
    METRICS.flatMap((metric) =>
      fidelity[metric].alarms.map((alarm) => ({ ...alarm, ...presetOf(fidelity), file, figure: metric })),
    ),
  );
  const keys = [...new Set(longest.map(({ fidelity }) => keyOf(fidelity)))].sort();
  return {
    rows: keys.map((key) =>
      tableRow(
        longest.filter(({ fidelity }) => keyOf(fidelity) === key),
        boundaries.filter((boundary) => keyOf(boundary) === key),
        alarms.filter((alarm) => keyOf(alarm) === key),
      ),
    ),
    boundaries: boundaries.sort(byPresetAndFile),
    alarms: alarms.sort(byPresetAndFile),
    doubtful: longest.flatMap(({ file, fidelity: { calibration, recorded } }) =>
      calibration === null || calibration.doubts.length === 0 || recorded === 0 ? [] : [{ file, calibration }],
    ),
  };
}

interface RowKey {
  readonly policy: string;
  readonly preset: string;
  readonly file: string;
  readonly request: number;
}

function byPresetAndFile(a: RowKey, b: RowKey): number {
  const [left, right] = [a, b].map((row) => `${keyOf(row)} ${row.file}`);
  if (left !== right) return (left ?? "") < (right ?? "") ? -1 : 1;
  return a.request - b.request;
}

function keyOf({ policy, preset }: Pick<FidelityWire, "policy" | "preset">): string {
  return `${policy}@${preset}`;
}

function presetOf({ policy, preset }: FidelityWire) {
  return { policy, preset };
}

/** The longest file of every session; a file without a session id counts as its own session. */
function longestOfSession(longestFirst: readonly CheckedFile[]): readonly CheckedFile[] {
  const seen = new Set<string>();
  return longestFirst.filter(({ file, sessionId, fidelity }) => {
    const key = sessionId === null ? `file ${file}` : `${fidelity.policy} ${sessionId}`;
    return !seen.has(key) && seen.add(key);
  });
}

function distinctBoundaries(longestFirst: readonly CheckedFile[]): TableBoundary[] {
  const byIdentity = new Map<string, TableBoundary>();
  for (const { file, fidelity } of longestFirst) {
    for (const boundary of fidelity.boundaries) {
      const identity = identityOf(boundary, file);
      const known = byIdentity.get(identity);
      const files = (known?.files ?? 0) + 1;
      const fresh = { ...boundary, ...presetOf(fidelity), threshold: fidelity.threshold, file };
      byIdentity.set(identity, { ...(known ?? fresh), files });
    }
  }
  return [...byIdentity.values()];
}

/** Identifies a compaction across copies by the time of the answer to the previous request, and by that request's size. */
function identityOf({ at, request, tokensBefore, lastRecorded }: CheckedBoundaryWire, file: string): string {
  return at === null ? `${file} ${request}` : `${at} ${tokensBefore} ${lastRecorded} ${request}`;
}

function tableRow(
  sessions: readonly CheckedFile[],
  boundaries: readonly TableBoundary[],
  alarms: FidelityTable["alarms"],
): TableRow {
  const of = (metric: Metric): TableRow[Metric] => {
    const verdicts = boundaries.map((boundary) => boundary[metric].verdict);
    return {
      hits: verdicts.filter((verdict) => verdict === "hit").length,
      withinError: verdicts.filter((verdict) => verdict === "withinError").length,
      misses: verdicts.filter((verdict) => verdict === "miss").length,
      falseAlarms: alarms.filter((alarm) => alarm.figure === metric && !alarm.withinError).length,
      errorBefore: errorOf(boundaries, metric, "tokensBefore"),
      errorAfter: errorOf(boundaries, metric, "tokensAfter"),
    };
  };
  const { policy = "", preset = "" } = sessions[0]?.fidelity ?? {};
  return {
    policy,
    preset,
    sessions: sessions.length,
    recorded: boundaries.length,
    manual: boundaries.filter(({ reanchored }) => reanchored.verdict === "manual").length,
    overflow: boundaries.filter(({ reanchored }) => reanchored.verdict === "overflow").length,
    untold: boundaries.filter(({ reanchored }) => reanchored.verdict === "untold").length,
    reanchored: of("reanchored"),
    freeRunning: of("freeRunning"),
  };
}

function errorOf(boundaries: readonly TableBoundary[], metric: Metric, size: "tokensBefore" | "tokensAfter") {
  const errors = boundaries.map(({ [metric]: { prediction }, [size]: recorded }) =>
    prediction === null || recorded === null ? undefined : prediction[size] - recorded,
  );
  return tokenError(errors) ?? null;
}
