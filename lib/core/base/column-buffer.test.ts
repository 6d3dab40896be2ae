import { expect, test } from "vitest";
import { ColumnBuffer } from "./column-buffer";

test.each([0, 1, 3, 16, 1000])("columns with %i zeros do not overlap", (rows) => {
  const buffer = new ColumnBuffer(rows, { floats: 2, integers: 2, bytes: 2 });
  const columns = [
    buffer.floats(),
    buffer.floats(),
    buffer.integers(),
    buffer.integers(),
    buffer.bytes(),
    buffer.bytes(),
  ];
  for (const column of columns) expect(Array.from(column)).toEqual(Array(rows).fill(0));
  columns.forEach((column, index) => column.fill(index + 1));
  columns.forEach((column, index) => expect(Array.from(column)).toEqual(Array(rows).fill(index + 1)));
});

test("a buffer rejects more columns than it has space for", () => {
  const buffer = new ColumnBuffer(2, { integers: 1 });
  buffer.integers();
  expect(() => buffer.integers()).toThrow(RangeError);
  const odd = new ColumnBuffer(3, { integers: 1, bytes: 16 });
  odd.bytes();
  expect(() => odd.integers()).toThrow(RangeError);
});
