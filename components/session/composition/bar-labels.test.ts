import fc from "fast-check";
import { expect, it } from "vitest";
import { textWidth } from "@/components/charts/text-width";
import { placedLabels } from "./window-bar";

const wanted = fc.record({
  key: fc.string({ maxLength: 4 }),
  text: fc.constantFrom("free 8", "messages 105,263", "窗口 200,000", "overhead 26,529"),
  x: fc.integer({ min: 0, max: 700 }),
  anchor: fc.constantFrom("start" as const, "middle" as const, "end" as const),
});

it("labels fit into the bar without overlap, and the first that fits is always shown", () => {
  fc.assert(
    fc.property(fc.array(wanted, { maxLength: 8 }), fc.integer({ min: 60, max: 700 }), (labels, width) => {
      const placed = placedLabels(labels, width);
      const spans = placed.map(({ text, left }) => [left, left + textWidth(text)] as const).sort((a, b) => a[0] - b[0]);
      spans.forEach(([from, to], at) => {
        expect(from).toBeGreaterThanOrEqual(0);
        expect(to).toBeLessThanOrEqual(width + 1e-9);
        expect(spans[at + 1]?.[0] ?? Number.POSITIVE_INFINITY).toBeGreaterThan(to);
      });
      const [first] = labels;
      if (first !== undefined && textWidth(first.text) <= width) expect(placed[0]?.key).toBe(first.key);
    }),
  );
});
