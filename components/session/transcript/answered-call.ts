import type { SessionColumns } from "@/lib/core/columns/columns";

/** The call that a result answers; `undefined` for other items, and for results whose call is not in the file. */
export function answeredCall({ pair }: Pick<SessionColumns, "pair">, item: number): number | undefined {
  const other = pair[item] ?? -1;
  // A call is paired with its result, which comes later.
  return other >= 0 && other < item ? other : undefined;
}
