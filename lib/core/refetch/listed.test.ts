import { expect, it } from "vitest";
import { isChanceMatch, listedRefetches } from "./listed";

const refetch = (
  kind: "N1" | "N2" | "N3",
  dropped: number,
  refetched: number,
  sameFile: boolean | null,
  runAgain = false,
) => {
  return { kind, dropped, needed: refetched, sameFile, runAgain };
};

it("the list shows a whole result once, without checks, and with chance matches last", () => {
  const [whole, alike, file, path] = [
    ...[refetch("N1", 1, 9, true), refetch("N2", 3, 9, false), refetch("N2", 2, 8, true), refetch("N3", 1, 8, null)],
  ] as const;
  const its = refetch("N2", 1, 9, true);
  expect(listedRefetches([whole, its, alike, refetch("N2", 1, 7, true, true), file, path])).toEqual([
    whole,
    file,
    path,
    alike,
  ]);
});

it("a whole result is never listed as a chance match, whichever file it is from", () => {
  expect([
    isChanceMatch(refetch("N1", 1, 9, false)),
    isChanceMatch(refetch("N2", 1, 9, false)),
    isChanceMatch(refetch("N3", 1, 9, null)),
  ]).toEqual([...[false, true, false]]);
});
