import { expect, it } from "vitest";
import { isAlike, listedRefetches } from "./listed";

const need = (
  kind: "N1" | "N2" | "N3",
  dropped: number,
  needed: number,
  sameFile: boolean | null,
  runAgain = false,
) => {
  return { kind, dropped, needed, sameFile, runAgain };
};

it("lists a whole result once, omits output of checks, and puts possible chance matches last", () => {
  const [whole, alike, file, path] = [
    ...[need("N1", 1, 9, true), need("N2", 3, 9, false), need("N2", 2, 8, true), need("N3", 1, 8, null)],
  ] as const;
  const its = need("N2", 1, 9, true);
  expect(listedRefetches([whole, its, alike, need("N2", 1, 7, true, true), file, path])).toEqual([
    whole,
    file,
    path,
    alike,
  ]);
});

it("never treats a whole result as a chance match, from any file", () => {
  expect([isAlike(need("N1", 1, 9, false)), isAlike(need("N2", 1, 9, false)), isAlike(need("N3", 1, 9, null))]).toEqual(
    [...[false, true, false]],
  );
});
