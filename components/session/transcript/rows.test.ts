import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FLAG, KIND } from "@/lib/core/columns/columns";
import { neighbour, transcriptRows } from "./rows";

interface Drawn {
  readonly kind: number;
  readonly bytes: number;
  readonly flags: number;
}

function columnsOf(items: readonly Drawn[], overheadRows = 0) {
  return {
    length: items.length,
    kind: Uint8Array.from(items, ({ kind }) => kind),
    bytes: Int32Array.from(items, ({ bytes }) => bytes),
    flags: Uint8Array.from(items, ({ flags }) => flags),
    overheadRows,
  };
}

const said = { kind: KIND.text, bytes: 5, flags: 0 };
const silent = { kind: KIND.thinking, bytes: 0, flags: 0 };

describe("rows of the transcript", () => {
  it("leave out what says nothing, and count it", () => {
    const rows = transcriptRows(columnsOf([said, silent, silent, said]), { showEmpty: false });
    expect([...rows.items]).toEqual([0, 3]);
    expect([...rows.rowOf]).toEqual([0, 0, 0, 1]);
    expect(rows.empty).toBe(2);
    expect([...transcriptRows(columnsOf([said, silent]), { showEmpty: true }).items]).toEqual([0, 1]);
  });

  it("keep an empty result, a text that only the file lacks, and the overhead", () => {
    const result = { kind: KIND.tool_result, bytes: 0, flags: 0 };
    const masked = { ...silent, flags: FLAG.ESTIMATED };
    expect([...transcriptRows(columnsOf([silent, result, masked, silent], 1), { showEmpty: false }).items]).toEqual([
      0, 1, 2,
    ]);
  });

  it("are walked one by one from end to end", () => {
    const drawn = fc.array(fc.constantFrom(said, silent), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(drawn, (items) => {
        const rows = transcriptRows(columnsOf([said, ...items]), { showEmpty: false });
        const walked: number[] = [];
        for (let at = neighbour(rows, -1, 1); walked.at(-1) !== at; at = neighbour(rows, at, 1)) walked.push(at);
        expect(walked).toEqual([...rows.items]);
        expect(neighbour(rows, walked.at(-1) ?? 0, 1)).toBe(walked.at(-1));
        expect(neighbour(rows, 0, -1)).toBe(0);
      }),
    );
  });
});
