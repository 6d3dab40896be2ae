import type { ItemIndex, Tokens } from "../base/units";
import { boundariesOf, KINDS, type SessionColumns } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";
import { NEVER, recordedMembership, tokensAt } from "../columns/membership";

/** What a rule may look at to decide which items a resume loads. */
interface ResumeView {
  readonly columns: SessionColumns;
  readonly agentVersion: string | undefined;
  /** First item after the last recorded compaction; the first of all where there is none. */
  readonly boundary: ItemIndex;
  /** Whether the session itself had the item in its context when the file ended. */
  readonly live: (row: ItemIndex) => boolean;
  readonly kind: (row: ItemIndex) => (typeof KINDS)[number] | undefined;
}

/** Decides which items an agent puts into the context when it resumes a session from its file. */
export type ResumeRule = (view: ResumeView) => (row: ItemIndex) => boolean;

/** The rule of agents that rebuild exactly what the session had, because their files say all of it. */
export const LOADS_LIVE: ResumeRule = ({ live }) => live;

/** Messages of the context, without the overhead. */
interface LoadedItems {
  readonly items: number;
  readonly tokens: Tokens;
}

/** What a resume of the file would load, compared with what the session had when the file ended. */
export interface Resume extends LoadedItems {
  readonly messages: number;
  /** What the session had but a resume does not load. */
  readonly missing: LoadedItems;
  /** What a resume loads although the session no longer had it. */
  readonly extra: LoadedItems;
}

/** What a resume loads by an agent's rule; a cleared result counts as its placeholder. */
export function resumeOf({ columns, tokens }: CountedColumns, rule: ResumeRule, agentVersion?: string | null): Resume {
  const membership = recordedMembership(columns);
  const live = (row: ItemIndex): boolean => membership.dropped[row] === NEVER;
  const last = boundariesOf(columns, "compaction").at(-1);
  const boundary = last === undefined ? columns.overheadRows : (columns.boundaries.item[last] ?? 0);
  const kind = (row: ItemIndex) => KINDS[columns.kind[row] ?? -1];
  const loads = rule({ columns, agentVersion: agentVersion ?? undefined, boundary, live, kind });
  const sums = { loaded: { items: 0, tokens: 0 }, missing: { items: 0, tokens: 0 }, extra: { items: 0, tokens: 0 } };
  const messages = new Set<number>();
  for (let row = columns.overheadRows; row < columns.length; row++) {
    const size = tokensAt(membership, tokens, row, NEVER - 1);
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
