import type { ItemIndex, Tokens } from "../base/units";
import { boundariesOf, KINDS, type SessionColumns } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";
import { isMember, NEVER, recordedMembership } from "../columns/membership";
import { pointCount } from "../columns/points";
import { type SizedSeries, sentSizes, sizesWithin } from "./recorded";

/** Input of a rule that decides which items a resume loads. */
interface ResumeView {
  readonly columns: SessionColumns;
  readonly agentVersion: string | undefined;
  /** First item after the last recorded compaction; the first item of all if there is none. */
  readonly boundary: ItemIndex;
  /** True for an item that was in the session's own context when the file ended. */
  readonly live: (row: ItemIndex) => boolean;
  readonly kind: (row: ItemIndex) => (typeof KINDS)[number] | undefined;
}

/** Decides which items an agent loads when it resumes a session from its file. */
export type ResumeRule = (view: ResumeView) => (row: ItemIndex) => boolean;

/** Rule of agents that restore exactly the session's context, because their files fully describe it. */
export const LOADS_LIVE: ResumeRule = ({ live }) => live;

/** Messages of the context, without the overhead. */
interface LoadedItems {
  readonly items: number;
  readonly tokens: Tokens;
}

/** Items that a resume of the file would load, compared with the session's context when the file ended. */
export interface Resume extends LoadedItems {
  readonly messages: number;
  /** Items of the session's context that a resume does not load. */
  readonly missing: LoadedItems;
  /** Items that a resume loads although the session had dropped them. */
  readonly extra: LoadedItems;
}

/**
 * Applies an agent's resume rule. Items that the last request sent have the sizes of its composition, all others their calibrated estimates. A cleared
 * result counts as its placeholder.
 * @param series of the recording as sent
 */
export function resumeOf(
  recording: CountedColumns,
  series: SizedSeries,
  rule: ResumeRule,
  agentVersion?: string | null,
): Resume {
  const { columns } = recording;
  const membership = recordedMembership(columns);
  const live = (row: ItemIndex): boolean => membership.dropped[row] === NEVER;
  const last = boundariesOf(columns, "compaction").at(-1);
  const boundary = last === undefined ? columns.overheadRows : (columns.boundaries.item[last] ?? 0);
  const kind = (row: ItemIndex) => KINDS[columns.kind[row] ?? -1];
  const loads = rule({ columns, agentVersion: agentVersion ?? undefined, boundary, live, kind });
  const sums = { loaded: { items: 0, tokens: 0 }, missing: { items: 0, tokens: 0 }, extra: { items: 0, tokens: 0 } };
  const messages = new Set<number>();
  const point = pointCount(columns) - 1;
  const sent = sentSizes(recording, series, point);
  const isSent = (row: ItemIndex) => isMember(series, row, point);
  const further = sizesWithin(recording, series, { point: NEVER - 1, isThere: (row) => !isSent(row) });
  for (let row = columns.overheadRows; row < columns.length; row++) {
    const size = (isSent(row) ? sent : further)[row] ?? 0;
    const add = (to: keyof typeof sums) => {
      sums[to].items += 1;
      sums[to].tokens += size;
    };
    if (loads(row)) {
      add("loaded");
      messages.add(columns.message[row] ?? -1);
      if (!live(row)) add("extra");
    } else if (live(row)) add("missing");
  }
  return { ...sums.loaded, messages: messages.size, missing: sums.missing, extra: sums.extra };
}
