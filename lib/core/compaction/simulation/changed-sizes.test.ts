import fc from "fast-check";
import { expect, test } from "vitest";
import { ChangedSizes } from "./changed-sizes";

test("the table returns the sizes of every compaction in order", () => {
  const sizes = fc.array(fc.tuple(fc.nat(100_000), fc.nat(1_000_000)), { maxLength: 40 });
  const change = fc.record({ truncated: sizes, cleared: sizes });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      const changed = new ChangedSizes();
      const places = changes.map((one) => changed.put(one));
      const read = places.map((place) => ({ truncated: changed.truncated(place), cleared: changed.cleared(place) }));
      expect(read).toEqual(changes);
    }),
  );
});
