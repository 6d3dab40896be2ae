import { array, assert, constant, constantFrom, double, oneof, property, string, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { csvCells } from "../testing/csv-cells";
import { csvText } from "./csv";

const hostile = oneof(
  string({ unit: "binary", maxLength: 12 }),
  tuple(constantFrom("", " ", "\t", "\r\n"), constantFrom(...'=+-@＝＋－＠",;'), string({ maxLength: 8 })).map(
    (parts) => parts.join(""),
  ),
);
const cell = oneof(hostile, double({ noNaN: true, noDefaultInfinity: true }), constant(null));

describe("csvText", () => {
  it("writes numbers in full, quotes where needed, and null as an empty cell", () => {
    const text = csvText(
      ["name", "tokens"],
      [
        ['a "b", c', 156_579],
        ["两行\n文字", 0.2059],
        [" x", null],
        ["", -3],
      ],
    );
    expect(text).toBe('\uFEFFname,tokens\r\n"a ""b"", c",156579\r\n"两行\n文字",0.2059\r\n" x",\r\n,-3\r\n');
  });

  it.each(["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\n=1", "\tx", "\rx", "＝1", "－1"])(
    "prefixes the formula %j with an apostrophe",
    (text) => {
      expect(csvCells(csvText(["x"], [[text]]).slice(1))[1]).toEqual([`'${text}`]);
    },
  );

  it("round-trips every cell and writes no text that begins like a formula", () => {
    assert(
      property(array(tuple(cell, cell), { minLength: 1, maxLength: 5 }), (rows) => {
        const read = csvCells(csvText(["a", "b"], rows).slice(1));
        expect(read.length).toBe(rows.length + 1);
        for (const [at, row] of rows.entries()) {
          for (const [column, value] of row.entries()) {
            const text = read[at + 1]?.[column] ?? "none";
            if (typeof value === "number") expect(Number(text)).toBe(value === 0 ? 0 : value);
            else {
              expect(text.replace(/^'/u, "")).toBe((value ?? "").replace(/^'/u, ""));
              expect(text).not.toMatch(/^(?:[\s\p{Cc}]*[=+\-@＝＋－＠]|[\t\r])/u);
            }
          }
        }
      }),
    );
  });
});
