import { type Band, bandOfCategory } from "@/components/charts/bands";
import type { ContributorKind } from "@/lib/core/analysis/contributor-groups";
import type { Contributors } from "@/lib/core/analysis/contributors";
import type { TurnGrowth } from "@/lib/core/analysis/growth";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { MicroDollars } from "@/lib/core/cost/money";
import { contributorName } from "@/lib/queries/contexts/contributors";
import type { ContributorSort } from "../shared/state/url-state";

export interface ContributorRow {
  readonly key: string;
  readonly kind: ContributorKind;
  readonly index: number;
  /** The name in the file, or a category's id; absent for messages, turns, and unnamed rows. */
  readonly name: string | undefined;
  /** The band of a category; absent for other rows. */
  readonly band: Band | undefined;
  readonly tokens: number;
  /** Share of the context at the request. */
  readonly share: number;
  readonly residency: number;
  /** Share of all tokens sent up to the request. */
  readonly sentShare: number;
  /** Cost of its tokens; absent if unknown. */
  readonly cost: MicroDollars | undefined;
  readonly items: number;
  readonly calls: number;
  /** For a turn that sent a request. */
  readonly growth: TurnGrowth | undefined;
  /** The item of the transcript that represents it. */
  readonly item: number | undefined;
}

/**
 * The contributors as rows, in no particular order.
 * @param growth growth of the turns up to the request
 */
export function contributorRows(
  { rows, context, sent }: Contributors,
  columns: SessionColumns,
  growth: readonly TurnGrowth[],
): readonly ContributorRow[] {
  const growthOf = new Map(growth.map((turn) => [turn.turn, turn]));
  return rows.map((row) => {
    const { kind, index, tokens, residency, cost, items, calls, largest } = row;
    const name = contributorName(row, columns);
    return {
      key: `${kind} ${index}`,
      kind,
      index,
      name,
      band: kind === "category" || kind === "unattributed" ? bandOfCategory(name ?? kind) : undefined,
      tokens,
      share: context > 0 ? tokens / context : 0,
      residency,
      sentShare: sent > 0 ? residency / sent : 0,
      cost,
      items,
      calls,
      growth: kind === "turn" ? growthOf.get(index) : undefined,
      item: largest < 0 ? undefined : largest,
    };
  });
}

/** The rows sorted: numbers largest first, names in alphabetical order. `up` reverses that. */
export function sortedRows(
  rows: readonly ContributorRow[],
  sort: ContributorSort,
  up: boolean,
): readonly ContributorRow[] {
  const compare =
    sort === "name" ? byName : (a: ContributorRow, b: ContributorRow) => metricOf(b, sort) - metricOf(a, sort);
  const sign = up ? -1 : 1;
  return rows.toSorted((a, b) => sign * compare(a, b) || b.tokens - a.tokens);
}

function metricOf(row: ContributorRow, sort: Exclude<ContributorSort, "name">): number {
  const metric = sort === "growth" ? row.growth?.growth : row[sort];
  return metric ?? Number.NEGATIVE_INFINITY;
}

/** Compares names: file names by the alphabet, messages and turns by number, categories last. */
function byName(a: ContributorRow, b: ContributorRow): number {
  const [inA, inB] = [a.band === undefined ? 0 : 1, b.band === undefined ? 0 : 1];
  if (inA !== inB) return inA - inB;
  if (a.name !== undefined && b.name !== undefined) return a.name < b.name ? -1 : 1;
  return a.index - b.index;
}
