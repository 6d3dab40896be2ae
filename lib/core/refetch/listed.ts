import type { LedgerRefetch } from "./ledger";

/** A re-fetch in a list: a `LedgerRefetch`, or the same from an answer. */
interface Listed extends Pick<LedgerRefetch, "kind" | "dropped" | "needed"> {
  readonly runAgain: boolean;
  readonly sameFile: boolean | null;
}

/** True if the lines came from another file's result, or from none: they may be alike by chance. */
export function isChanceMatch({ kind, sameFile }: Pick<Listed, "kind" | "sameFile">): boolean {
  return kind === "N2" && sameFile === false;
}

/** Re-fetches in reading order: without output of checks and without lines of a result that is listed whole; possible chance matches last. */
export function listedRefetches<N extends Listed>(refetches: readonly N[]): readonly N[] {
  const placeOf = ({ dropped, needed: refetched }: N) => `${dropped} ${refetched}`;
  const whole = new Set(refetches.filter(({ kind }) => kind === "N1").map(placeOf));
  const listed = refetches.filter(
    (refetch) => !refetch.runAgain && !(refetch.kind === "N2" && whole.has(placeOf(refetch))),
  );
  return [...listed.filter((refetch) => !isChanceMatch(refetch)), ...listed.filter(isChanceMatch)];
}
