import { expect, it } from "vitest";
import { instant as contract } from "../contract/basics";
import { instant } from "./instant";

it.each([
  [0, "1970-01-01T00:00:00.000Z"],
  [Date.UTC(2100, 11, 31), "2100-12-31T00:00:00.000Z"],
  [-1, "1969-12-31T23:59:59.999Z"],
  [253_402_300_799_999, "9999-12-31T23:59:59.999Z"],
  [253_402_300_800_000, null],
  [-62_167_219_200_001, null],
  [8.64e15, null],
  [1e300, null],
  [Number.NaN, null],
  [undefined, null],
])("the instant %d is written as %s", (at, text) => {
  expect(instant(at)).toBe(text);
  expect(contract.parse(instant(at))).toBe(text);
});
