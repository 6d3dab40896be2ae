import fc from "fast-check";
import { expect, it } from "vitest";
import { projectSortText, sortText } from "./sort-text";

const sorted = (texts: readonly string[], key = sortText) => [...texts].sort((a, b) => (key(a) < key(b) ? -1 : 1));

it("numbers in texts sort by value; case, width and accents do not matter", () => {
  expect(sorted(["step 10", "Step 9", "step 010a", "ｓｔｅｐ 2"])).toEqual([
    "ｓｔｅｐ 2",
    "Step 9",
    "step 10",
    "step 010a",
  ]);
  expect(sorted(["Über b", "uber a", "Z", "élan"])).toEqual(["élan", "uber a", "Über b", "Z"]);
  expect(sorted(["b", "9000000000000000001", "a"])).toEqual(["9000000000000000001", "a", "b"]);
});

it("the sort key orders numbers between equal words as a collator does", () => {
  const number = fc.nat({ max: 2 ** 40 });
  fc.assert(
    fc.property(number, number, (a, b) => {
      const order = new Intl.Collator("en", { numeric: true }).compare(`run ${a}`, `run ${b}`);
      const keys = [sortText(`run ${a}`), sortText(`run ${b}`)] as const;
      expect(Math.sign(Number(keys[0] > keys[1]) - Number(keys[0] < keys[1]))).toBe(Math.sign(order));
    }),
  );
});

it("projects sort by the name of their folder, not by its parents", () => {
  const paths = ["/srv/b/shop", "/home/z/api", "C:\\code\\Docs", "/home/a/shop"];
  expect(sorted(paths, projectSortText)).toEqual(["/home/z/api", "C:\\code\\Docs", "/home/a/shop", "/srv/b/shop"]);
});
