import { categoryCode } from "../base/categories";
import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";
import { CLEARED_TOKENS, type Membership, NEVER } from "../columns/membership";
import type { Replay } from "../compaction/replay";

/**
 * Called for every stretch of requests [from, to) in which an item was in the context with one size. Items from `columns.length` on were added by a
 * simulated compaction.
 */
type StayVisitor = (item: ItemIndex, category: number, tokens: Tokens, from: RequestIndex, to: RequestIndex) => void;

/** A walk over all stays of a context. Linear in the items. */
export type Stays = (visit: StayVisitor) => void;

/** The stays of the recorded context. A cleared result stays as its placeholder. */
export function recordedStays({ columns, tokens }: CountedColumns, membership: Membership): Stays {
  const { category } = columns;
  const { entered, dropped, cleared } = membership;
  return (visit) => {
    for (let row = 0; row < columns.length; row++) {
      const from = entered[row] ?? NEVER;
      const to = dropped[row] ?? NEVER;
      const size = tokens[row] ?? 0;
      const change = Math.max(from, Math.min(to, cleared[row] ?? NEVER));
      if (from < change) visit(row, category[row] ?? 0, size, from, change);
      if (change < to) visit(row, category[row] ?? 0, Math.min(size, CLEARED_TOKENS), change, to);
    }
  };
}

/** The parts of a replay that decide which items were in the context. */
type SimulatedStayFacts = Membership & Pick<Replay, "sizes" | "compactions" | "added">;

/** The stays of a simulated context, including truncated, cleared and added items. */
export function simulatedStays(columns: SessionColumns, run: SimulatedStayFacts): Stays {
  const { category, length } = columns;
  const { entered, dropped, sizes, added } = run;
  const changes = sizeChanges(run);
  return (visit) => {
    for (let row = 0; row < length; row++) {
      const from = entered[row] ?? NEVER;
      const to = dropped[row] ?? NEVER;
      if (from < to) visitPieces(visit, row, category[row] ?? 0, sizes[row] ?? 0, from, to, changes.get(row));
    }
    added.forEach(({ item, entered: from, dropped: to }, index) => {
      const id = length + index;
      visitPieces(visit, id, categoryCode(item.category), item.tokens, from, to, changes.get(id));
    });
  };
}

/** A new size of an item, from a request on. */
type SizeChange = readonly [RequestIndex, Tokens];

function sizeChanges(run: SimulatedStayFacts): ReadonlyMap<ItemIndex, readonly SizeChange[]> {
  const changes = new Map<ItemIndex, SizeChange[]>();
  for (const { request, truncated, cleared, transient } of run.compactions) {
    for (const [item, tokens] of [...truncated, ...cleared]) {
      const known = changes.get(item) ?? [];
      const before = known.at(-1)?.[1] ?? run.sizes[item] ?? 0;
      changes.set(item, known);
      known.push([request, tokens]);
      if (transient === true) known.push([request + 1, before]);
    }
  }
  // Items cleared by an input rule are in no compaction.
  run.cleared.forEach((request, row) => {
    const known = request === NEVER ? [] : (changes.get(row) ?? []);
    if (request === NEVER || known.some(([at]) => at === request)) return;
    const cleared: SizeChange = [request, Math.min(run.sizes[row] ?? 0, CLEARED_TOKENS)];
    changes.set(
      row,
      [...known, cleared].sort(([a], [b]) => a - b),
    );
  });
  return changes;
}

function visitPieces(
  visit: StayVisitor,
  item: ItemIndex,
  category: number,
  tokens: Tokens,
  entered: RequestIndex,
  to: RequestIndex,
  changes: readonly SizeChange[] | undefined,
): void {
  let from = entered;
  let size = tokens;
  for (const [request, changed] of changes ?? []) {
    if (from < request) visit(item, category, size, from, Math.min(request, to));
    from = Math.max(from, request);
    size = changed;
  }
  if (from < to) visit(item, category, size, from, to);
}
