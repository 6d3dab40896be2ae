import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FLAG, KIND } from "@/lib/core/columns/columns";
import { neighbour, resultInRow, transcriptRows } from "./rows";

interface Drawn {
  readonly kind: number;
  readonly bytes: number;
  readonly flags: number;
  readonly pair?: number;
}

function columnsOf(items: readonly Drawn[], overheadRows = 0) {
  return {
    length: items.length,
    kind: Uint8Array.from(items, ({ kind }) => kind),
    bytes: Int32Array.from(items, ({ bytes }) => bytes),
    flags: Uint8Array.from(items, ({ flags }) => flags),
    pair: Int32Array.from(items, ({ pair = -1 }) => pair),
    overheadRows,
  };
}

/** The rows if every item belongs to the same request. */
function rowsOf(columns: ReturnType<typeof columnsOf>, showEmpty = false) {
  return transcriptRows(columns, { requestOfItem: new Int32Array(columns.length), showEmpty });
}

const spoken = { kind: KIND.text, bytes: 5, flags: 0 };
const silent = { kind: KIND.thinking, bytes: 0, flags: 0 };

describe("rows of the transcript", () => {
  it("leave out empty items, and count them", () => {
    const rows = rowsOf(columnsOf([spoken, silent, silent, spoken]));
    expect([...rows.items]).toEqual([0, 3]);
    expect([...rows.rowOf]).toEqual([0, 0, 0, 1]);
    expect(rows.empty).toBe(2);
    expect([...rowsOf(columnsOf([spoken, silent]), true).items]).toEqual([0, 1]);
  });

  it("include an empty result, a text missing from the file, and the overhead", () => {
    const result = { kind: KIND.tool_result, bytes: 0, flags: 0 };
    const masked = { ...silent, flags: FLAG.ESTIMATED };
    expect([...rowsOf(columnsOf([silent, result, masked, silent], 1)).items]).toEqual([0, 1, 2]);
  });

  it("combine a call with its result, but not with a result that came requests later", () => {
    const call = (pair: number) => ({ kind: KIND.tool_call, bytes: 9, flags: 0, pair });
    const result = (pair: number) => ({ kind: KIND.tool_result, bytes: 9, flags: 0, pair });
    const columns = columnsOf([spoken, call(3), call(5), result(1), spoken, result(2), result(-1)]);
    const rows = transcriptRows(columns, { requestOfItem: Int32Array.of(0, 0, 0, 1, 1, 2, 2), showEmpty: false });
    expect([...rows.items]).toEqual([0, 1, 2, 4, 5, 6]);
    expect([...rows.rowOf]).toEqual([0, 1, 2, 1, 3, 4, 5]);
    expect([1, 2, 3, 5, 6].map((item) => resultInRow(rows, columns, item))).toEqual([
      3,
      ...[undefined, undefined, undefined, undefined],
    ]);
  });

  it("are visited one by one, up to the first and last one", () => {
    const anyItems = fc.array(fc.constantFrom(spoken, silent), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(anyItems, (items) => {
        const rows = rowsOf(columnsOf([spoken, ...items]));
        const walked: number[] = [];
        for (let at = neighbour(rows, -1, 1); walked.at(-1) !== at; at = neighbour(rows, at, 1)) walked.push(at);
        expect(walked).toEqual([...rows.items]);
        expect(neighbour(rows, walked.at(-1) ?? 0, 1)).toBe(walked.at(-1));
        expect(neighbour(rows, 0, -1)).toBe(0);
      }),
    );
  });
});
