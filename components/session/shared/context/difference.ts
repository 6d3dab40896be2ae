import type { ItemChanges, WeighedItem } from "@/lib/core/analysis/items-at";
import { BOUNDARY } from "@/lib/core/columns/columns";
import { useReplay, useSession, useView } from "../state/stores";
import { type Against, type Side, VIEW_PARSERS } from "../state/url-state";
import { useAddress } from "../state/use-address";
import { pointedRequest } from "../state/view";
import type { CompositionRow } from "./composition-rows";

/** A category in two contexts. */
export interface DifferenceRow extends Pick<CompositionRow, "id" | "level" | "band"> {
  readonly before: number;
  readonly after: number;
}

/** Two breakdowns as rows of one table. A category that one of them lacks is 0 there. */
export function differenceRows(
  before: readonly CompositionRow[],
  after: readonly CompositionRow[],
): readonly DifferenceRow[] {
  const merged = [...before];
  after.forEach((row, index) => {
    if (merged.some(({ id }) => id === row.id)) return;
    // It keeps its position: after the category before it in its own breakdown.
    const previous = merged.findIndex(({ id }) => id === after[index - 1]?.id);
    merged.splice(previous + 1, 0, row);
  });
  const sizeIn = (rows: readonly CompositionRow[], id: string) => rows.find((row) => row.id === id)?.tokens ?? 0;
  return merged.map(({ id, level, band }) => ({
    id,
    level,
    band,
    before: sizeIn(before, id),
    after: sizeIn(after, id),
  }));
}

/** Terms of the change of a context. They always sum to it. */
interface DifferenceTerms {
  readonly came: number;
  /** Not above 0. */
  readonly went: number;
  readonly resized: number;
  /** Tokens of no item: overhead, unattributed usage, and the rounding of items. */
  readonly beyond: number;
}

/**
 * Divides the change of a context into its terms.
 * @param change of the whole context, in tokens
 */
export function differenceTerms(change: number, items: ItemChanges): DifferenceTerms {
  const came = sumOf(items.came);
  const went = -sumOf(items.went);
  return { came, went, resized: items.resized, beyond: change - came - went - items.resized };
}

function sumOf(items: readonly WeighedItem[]): number {
  return items.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Candidates for a comparison. */
interface BaseChoice {
  readonly id: "after" | "before" | "previous" | "first";
  readonly request: number;
}

/**
 * Requests to compare the context with: the first one after the last boundary, the one before that boundary, the previous request, the first of all.
 * @param boundaries the requests before which the context was compacted, in any order
 */
export function baseChoices(at: number, boundaries: readonly number[]): readonly BaseChoice[] {
  const boundary = Math.max(...boundaries.filter((request) => request <= at));
  const all: readonly BaseChoice[] = [
    { id: "after", request: boundary },
    { id: "before", request: boundary - 1 },
    { id: "previous", request: at - 1 },
    { id: "first", request: 0 },
  ];
  return all.filter(
    ({ request }, index) =>
      request >= 0 && request < at && all.findIndex((other) => other.request === request) === index,
  );
}

const PARSERS = { against: VIEW_PARSERS.against };

/** One context of the session: the recorded or the simulated one, at a request. */
export interface ContextPlace {
  readonly side: Side;
  readonly request: number;
}

export interface Base {
  readonly against: Against | null;
  readonly setAgainst: (against: Against | null) => void;
  /** The context that the shown one is compared with, if any. */
  readonly base: ContextPlace | undefined;
  readonly choices: readonly BaseChoice[];
}

/** The composition compared with the one at the cursor. */
export function useBase(): Base {
  const { columns, points } = useSession("columns", "points");
  const { simulated } = useReplay("simulated");
  const at = useView(pointedRequest);
  const { side } = useView("side");
  const [{ against }, update] = useAddress(PARSERS);
  const { request, kind } = columns.boundaries;
  const boundaries =
    side === "recorded"
      ? Array.from(request).filter((_, row) => kind[row] !== BOUNDARY.clearing)
      : simulated.compactions.map((compaction) => compaction.request);
  return {
    against,
    setAgainst: (next) => void update({ against: next }),
    base: against === null ? undefined : placeOf(against, { side, request: at }, points),
    choices: baseChoices(at, boundaries),
  };
}

function placeOf(against: Against, { side, request }: ContextPlace, points: number): ContextPlace {
  if (against === "other") return { side: side === "recorded" ? "policy" : "recorded", request };
  return { side, request: Math.min(against, points - 1) };
}
