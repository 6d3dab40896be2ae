import fc from "fast-check";
import { expect, test } from "vitest";
import { ResultsInContext } from "./results-in-context";

test("the index returns the same results in context as a search through all results", () => {
  const step = fc.record({ enters: fc.nat(6), leaves: fc.array(fc.nat(20)), clears: fc.array(fc.nat(20)) });
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 5 })), fc.array(step), (gaps, steps) => {
      let row = 0;
      const all = gaps.map((gap) => (row += gap));
      const [gone, cleared] = [new Set<number>(), new Set<number>()];
      const isClearable = (one: number) => !gone.has(one) && !cleared.has(one);
      const results = new ResultsInContext(Int32Array.from(all), (one) => !gone.has(one), isClearable);
      let last = -1;
      for (const { enters, leaves, clears } of steps) {
        last += enters;
        for (const index of leaves) if ((all[index] ?? last) < last) gone.add(all[index] ?? 0);
        if (leaves.length > 0) results.left();
        for (const index of clears) if ((all[index] ?? last) < last) cleared.add(all[index] ?? 0);
        expect(Array.from(results.upTo(last))).toEqual(all.filter((one) => one <= last && !gone.has(one)));
        const clearable = all.filter((one) => one < last && isClearable(one));
        expect(results.clearable(last)).toEqual(clearable);
        expect(results.hasClearable(last)).toBe(clearable.length > 0);
      }
      cleared.clear();
      results.restored();
      expect(results.clearable(last)).toEqual(all.filter((one) => one < last && isClearable(one)));
    }),
  );
});
