import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type TranscriptRow, transcriptRows } from "./rows";

function drawn(row: TranscriptRow): string {
  if (row.type === "item") return String(row.item);
  return row.type === "recorded" ? `R${row.boundary}` : `S${row.compaction}`;
}

function list(items: number, recorded: number[], simulated: number[]): string {
  const rows = transcriptRows(items, recorded, simulated);
  return Array.from({ length: rows.length }, (_, index) => drawn(rows.at(index))).join(" ");
}

describe("transcript rows", () => {
  it("puts boundaries before the item they stand before, recorded first", () => {
    expect(list(5, [2], [2, 4])).toBe("0 1 R0 S0 2 3 S1 4");
  });

  it("takes boundaries at both ends", () => {
    expect(list(2, [0, 2], [])).toBe("R0 0 1 R1");
    expect(list(0, [0], [])).toBe("R0");
  });

  it("finds items and boundaries again, for any boundaries", () => {
    const positions = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 8 });
    fc.assert(
      fc.property(positions, positions, (recorded, simulated) => {
        const rows = transcriptRows(40, recorded, simulated);
        const all = Array.from({ length: rows.length }, (_, index) => rows.at(index));
        expect(all.flatMap((row) => (row.type === "item" ? [row.item] : []))).toEqual(
          Array.from({ length: 40 }, (_, item) => item),
        );
        for (let item = 0; item < 40; item += 1)
          expect(rows.at(rows.indexOfItem(item))).toEqual({ type: "item", item });
        recorded.forEach((_, boundary) => {
          expect(rows.at(rows.indexOfBoundary("recorded", boundary))).toEqual({ type: "recorded", boundary });
        });
        expect(new Set(all.map((_, index) => rows.keyOf(index))).size).toBe(rows.length);
      }),
    );
  });
});
