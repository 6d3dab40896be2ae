import type { SessionColumns } from "@/lib/core/columns/columns";

/** The call that a result answers; `undefined` for all other items, and results whose call is not in the file. */
export function answeredCall({ pair }: Pick<SessionColumns, "pair">, item: number): number | undefined {
  const other = pair[item] ?? -1;
  // Of a call, the pair is its result, behind it.
  return other >= 0 && other < item ? other : undefined;
}
