import { expect, test } from "vitest";
import { ColumnRoom } from "./column-room";

test.each([0, 1, 3, 16, 1000])("columns of %i zeros do not overlap", (rows) => {
  const room = new ColumnRoom(rows, { floats: 2, integers: 2, bytes: 2 });
  const columns = [room.floats(), room.floats(), room.integers(), room.integers(), room.bytes(), room.bytes()];
  for (const column of columns) expect(Array.from(column)).toEqual(Array(rows).fill(0));
  columns.forEach((column, index) => column.fill(index + 1));
  columns.forEach((column, index) => expect(Array.from(column)).toEqual(Array(rows).fill(index + 1)));
});

test("rejects more columns than the buffer has space for", () => {
  const room = new ColumnRoom(2, { integers: 1 });
  room.integers();
  expect(() => room.integers()).toThrow(RangeError);
  const odd = new ColumnRoom(3, { integers: 1, bytes: 16 });
  odd.bytes();
  expect(() => odd.integers()).toThrow(RangeError);
});
