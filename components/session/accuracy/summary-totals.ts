import type { LedgerBoundaryWire } from "@/lib/api/types";

type Summary = NonNullable<LedgerBoundaryWire["summary"]>;
type Named = Summary["paths"];

/** What a session's summaries name, all together; `undefined` where the file holds the text of none. */
export function summaryTotals(boundaries: readonly Pick<LedgerBoundaryWire, "summary">[]): Summary | undefined {
  const [first, ...others] = boundaries.flatMap(({ summary }) => summary ?? []);
  if (first === undefined) return undefined;
  return others.reduce((a, b) => ({ paths: sum(a.paths, b.paths), names: sum(a.names, b.names) }), first);
}

function sum(a: Named, b: Named): Named {
  return {
    needed: a.needed + b.needed,
    neededNamed: a.neededNamed + b.neededNamed,
    named: a.named + b.named,
    namedUsed: a.namedUsed + b.namedUsed,
  };
}
