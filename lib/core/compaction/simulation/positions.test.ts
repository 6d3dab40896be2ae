import fc from "fast-check";
import { expect, test } from "vitest";
import { joined, rangesOf } from "./positions";

test("joining adjacent ranges gives the ranges of their single positions", () => {
  const steps = fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 3 })), { maxLength: 12 });
  fc.assert(
    fc.property(steps, (drawn) => {
      let end = 0;
      const ranges = drawn.map(([gap, length]): [number, number] => {
        const start = end + gap;
        end = start + length;
        return [start, end];
      });
      const positions = ranges.flatMap(([start, next]) => Array.from({ length: next - start }, (_, at) => start + at));
      expect(joined(ranges)).toEqual(rangesOf(positions));
    }),
  );
});
