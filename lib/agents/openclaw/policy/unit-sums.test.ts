import fc from "fast-check";
import { expect, test } from "vitest";
import { sumOf } from "@/lib/core/base/numbers";
import type { Tokens } from "@/lib/core/base/units";
import { endsWithin, maximumEnds, pruneSizes, shareEnds } from "./chunk-sizes";
import { UnitSums } from "./unit-sums";

const sizes = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 600 })), { maxLength: 30 });

/** The same as running sums that count how often they are read. */
function counted(list: readonly Tokens[]) {
  let looks = 0;
  const sums = [0];
  for (const size of list) sums.push((sums.at(-1) ?? 0) + size);
  const watched = new Proxy(sums, {
    get: (target, key, receiver) => {
      looks += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  return { units: new UnitSums(watched), looks: () => looks };
}

test("chunks, halves and pruned parts match the rules over sizes", () => {
  fc.assert(
    fc.property(sizes, fc.integer({ min: 0, max: 900 }), fc.integer({ min: 1, max: 9000 }), (list, most, window) => {
      const { units } = counted(list);
      expect(units.total(units.all)).toBe(sumOf(list));
      expect(units.ends(units.all, most)).toEqual(maximumEnds(list, most));
      expect(units.ends(units.all, most)).toEqual(endsWithin(list, most));
      if (list.length > 0) expect(units.halves(units.all).map(({ to }) => to)).toEqual(shareEnds(list));
      const { from, budget } = pruneSizes(list, window, 0.5);
      expect(units.prunedTo(budget)).toBe(from);
    }),
  );
});

test("a range has the same chunks as a separate list", () => {
  const bounds = fc.tuple(fc.nat(30), fc.nat(30));
  fc.assert(
    fc.property(sizes, bounds, fc.integer({ min: 0, max: 900 }), (list, [one, other], most) => {
      const [from, to] = [Math.min(one, other, list.length), Math.min(Math.max(one, other), list.length)];
      const { units } = counted(list);
      const expected = maximumEnds(list.slice(from, to), most).map((end) => end + from);
      expect(units.ends({ from, to }, most)).toEqual(expected);
    }),
  );
});

test("dividing many messages into few chunks takes few reads", () => {
  const { units, looks } = counted(Array.from({ length: 4096 }, () => 10));
  expect(units.ends(units.all, 4096)).toHaveLength(11);
  expect(units.halves(units.all)).toHaveLength(2);
  expect(looks()).toBeLessThan(12 * 20);
});
