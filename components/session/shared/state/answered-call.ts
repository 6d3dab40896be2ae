import type { SessionColumns } from "@/lib/core/columns/columns";

/** The other half of a call or a result; `undefined` where it is not in the file. */
export function pairedItem({ pair }: Pick<SessionColumns, "pair">, item: number): number | undefined {
  const other = pair[item] ?? -1;
  return other >= 0 ? other : undefined;
}

/** The call that a result answers; `undefined` for other items, and for results whose call is not in the file. */
export function answeredCall({ pair }: Pick<SessionColumns, "pair">, item: number): number | undefined {
  const other = pairedItem({ pair }, item);
  // A call is paired with its result, which comes later.
  return other !== undefined && other < item ? other : undefined;
}
