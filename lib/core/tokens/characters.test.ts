import fc from "fast-check";
import { expect, test } from "vitest";
import { bytesOverFour, charsOverFour, utf8Length } from "./characters";

test("utf8Length equals the platform's encoder on any string, lone surrogates included", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
      (text) => {
        expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length);
      },
    ),
  );
  expect(utf8Length("\ud800")).toBe(3);
  expect(utf8Length("a\udc00b")).toBe(5);
});

test("a quarter is rounded up", () => {
  expect([0, 1, 4, 5].map(bytesOverFour)).toEqual([0, 1, 1, 2]);
  expect([0, 3, 8, 9].map(charsOverFour)).toEqual([0, 1, 2, 3]);
});
