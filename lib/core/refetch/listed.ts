import type { LedgerRefetch } from "./ledger";

/** What a list shows of a need: a `LedgerRefetch`, or the same on the wire. */
interface Listed extends Pick<LedgerRefetch, "kind" | "dropped" | "needed"> {
  readonly runAgain: boolean;
  readonly sameFile: boolean | null;
}

/** Whether lines that came back stood in another file's result, or in none: they may be alike by chance. */
export function isAlike({ kind, sameFile }: Pick<Listed, "kind" | "sameFile">): boolean {
  return kind === "N2" && sameFile === false;
}

/** The needs in the order in which they are read: without what checks printed again and the lines of a result that is listed whole, and what may be alike by chance last. */
export function listedRefetches<N extends Listed>(needs: readonly N[]): readonly N[] {
  const placeOf = ({ dropped, needed }: N) => `${dropped} ${needed}`;
  const whole = new Set(needs.filter(({ kind }) => kind === "N1").map(placeOf));
  const listed = needs.filter((need) => !need.runAgain && !(need.kind === "N2" && whole.has(placeOf(need))));
  return [...listed.filter((need) => !isAlike(need)), ...listed.filter(isAlike)];
}
