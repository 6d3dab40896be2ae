import { expect, test } from "vitest";
import { Floats, Integers } from "./growing";

/** Fills more than two pieces. */
const MANY = 40_000;

test.each([0, 1, 8, 9, 16_383, 16_384, 16_385, MANY])("exactly the %i added values are read back", (count) => {
  const [integers, floats] = [new Integers(), new Floats()];
  for (let index = 0; index < count; index++) {
    integers.push(index - 5);
    floats.push(index / 3);
  }
  const indices = Array.from({ length: count }, (_, index) => index);
  expect([integers.length, floats.length]).toEqual([count, count]);
  expect(indices.map((index) => integers.at(index))).toEqual(indices.map((index) => index - 5));
  expect(indices.map((index) => floats.at(index))).toEqual(indices.map((index) => index / 3));
  expect([integers.at(-1), integers.at(MANY * 2), floats.at(-1), floats.at(MANY * 2)]).toEqual([0, 0, NaN, NaN]);
});

test.each([() => new Integers(), () => new Floats()])("changing a copy does not change the original", (empty) => {
  const column = empty();
  for (let index = 0; index < MANY; index++) column.push(index);
  const copy = column.copy();
  column.set(3, -3);
  column.set(MANY - 1, -1);
  column.push(7);
  copy.push(8);
  expect([column, copy].map((one) => [3, MANY - 1, MANY].map((index) => one.at(index)))).toEqual([
    [-3, -1, 7],
    [3, MANY - 1, 8],
  ]);
});
