import { codesOf } from "../base/codes";
import { textHash } from "../base/texts";
import { EXTRA_KINDS, type RequestColumns, recordedContext, type SessionColumns } from "./columns";

/** Classes of a session's requests. Source: docs/method.md, "Every request counts once". */
const REQUEST_CLASSES = [
  ...(["own", "inherited", "branch", "pass", "compaction", "subagent"] as const),
  // After the main chain: requests of another session.
  "inherited-extra",
] as const;
export type RequestClass = (typeof REQUEST_CLASSES)[number];
export const REQUEST_CLASS = codesOf(REQUEST_CLASSES);

/** Keys that identify a session's requests in other files with copies of them: first the main chain, then the others. */
export interface RequestKeys {
  /**
   * From the time, the model, the sent tokens and the response's id; NaN for a request without a time. The output is omitted, since it may still have
   * been growing.
   */
  readonly exact: Float64Array;
  /** From the sent and answered tokens alone, for copies with new times. Evidence only if the file names its source session. */
  readonly sizes: Float64Array;
  /** Classes of the requests, run-length encoded: a code of `REQUEST_CLASSES` and the number of requests, alternating. Most sessions have one run. */
  readonly classes: readonly number[];
  /** Model names, by the codes in the requests' columns. */
  readonly models: readonly string[];
}

/** Number of requests of the main chain. */
export function chainLength(classes: readonly number[]): number {
  let length = 0;
  for (let at = 0; at < classes.length; at += 2) if (isOfChain(classes[at])) length += classes[at + 1] ?? 0;
  return length;
}

/** Rows of requests that the file attributes to another session. */
export function inheritedRows(classes: readonly number[]): readonly number[] {
  const rows: number[] = [];
  for (let at = 0, row = 0; at < classes.length; at += 2) {
    const end = row + (classes[at + 1] ?? 0);
    for (; row < end; row++) if (isInherited(classes[at])) rows.push(row);
  }
  return rows;
}

/** The class of a request. */
export function classOf(classes: readonly number[], row: number): number {
  let at = 0;
  for (let end = classes[1] ?? 0; row >= end && at + 2 < classes.length; end += classes[at + 1] ?? 0) at += 2;
  return classes[at] ?? REQUEST_CLASS.own;
}

/** True if the file attributes a request of this class to another session. */
export function isInherited(code: number | undefined): boolean {
  return code === REQUEST_CLASS.inherited || code === REQUEST_CLASS["inherited-extra"];
}

function isOfChain(code: number | undefined): boolean {
  return code === REQUEST_CLASS.own || code === REQUEST_CLASS.inherited;
}

/** A request with recorded usage. */
interface KeyedRequest {
  readonly requests: RequestColumns;
  /** Row in these columns. */
  readonly row: number;
  readonly code: number;
}

/** Requests with recorded usage, in the order of their keys. */
export function keyedRequests(columns: Pick<SessionColumns, "requests" | "extra">): readonly KeyedRequest[] {
  const { requests, extra } = columns;
  const ofChain = (row: number) => (requests.inherited[row] === 1 ? REQUEST_CLASS.inherited : REQUEST_CLASS.own);
  const ofOthers = (row: number) => {
    const inherited = extra.inherited[row] === 1 || requests.inherited[extra.point[row] ?? -1] === 1;
    return inherited
      ? REQUEST_CLASS["inherited-extra"]
      : REQUEST_CLASS[EXTRA_KINDS[extra.kind[row] ?? -1] ?? "subagent"];
  };
  return [...keyedRows(requests, ofChain), ...keyedRows(extra, ofOthers)];
}

function keyedRows(requests: RequestColumns, codeOf: (row: number) => number): KeyedRequest[] {
  const keyed: KeyedRequest[] = [];
  for (let row = 0; row < requests.length; row++) {
    if (recordedContext({ requests }, row) > 0) keyed.push({ requests, row, code: codeOf(row) });
  }
  return keyed;
}

/** Keys of the requests with recorded usage, in order. */
export function requestKeys(columns: SessionColumns): RequestKeys {
  const { models } = columns.tables;
  const keyed = keyedRequests(columns);
  return {
    exact: Float64Array.from(keyed, ({ requests, row }) => {
      const at = requests.at[row] ?? Number.NaN;
      const response = requests.response[row] ?? Number.NaN;
      return Number.isNaN(at)
        ? at
        : textHash([at, models[requests.model[row] ?? -1], ...sentBy(requests, row), response].join(" "));
    }),
    sizes: Float64Array.from(keyed, ({ requests, row }) =>
      textHash([...sentBy(requests, row), known(requests.output, row)].join(" ")),
    ),
    classes: runsOf(keyed.map(({ code }) => code)),
    models,
  };
}

function runsOf(codes: readonly number[]): readonly number[] {
  const runs: number[] = [];
  for (const code of codes) {
    if (runs.at(-2) === code) runs.push((runs.pop() ?? 0) + 1);
    else runs.push(code, 1);
  }
  return runs;
}

function sentBy(requests: RequestColumns, row: number): readonly (number | undefined)[] {
  return [requests.input, requests.cacheRead, requests.cacheWrite].map((column) => known(column, row));
}

function known(column: Int32Array, row: number): number | undefined {
  return (column[row] ?? -1) < 0 ? undefined : column[row];
}
