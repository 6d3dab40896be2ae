import fc from "fast-check";
import { expect, it } from "vitest";
import { HeldUsage } from "./held-usage";
import type { Usage } from "./model";

const metric = fc.nat(1_000_000);
const usage: fc.Arbitrary<Usage> = fc
  .record(
    {
      input: metric,
      cacheRead: metric,
      cacheWrite: metric,
      cacheWrite1h: metric,
      output: metric,
      reasoning: metric,
      webSearches: metric,
      ownCost: fc.double({ min: 0, max: 100, noNaN: true }),
    },
    { requiredKeys: ["input"] },
  )
  .map((one) => ({ ...one }));

it("the store returns every usage unchanged, and adds no absent fields", () => {
  fc.assert(
    fc.property(fc.array(usage, { maxLength: 40 }), (usages) => {
      const held = new HeldUsage();
      expect(usages.map((one) => held.push(one))).toEqual(usages.map((_, row) => row));
      expect(usages.map((_, row) => held.at(row))).toEqual(usages);
    }),
  );
});
