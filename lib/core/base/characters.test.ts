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

test.each([
  "\u007f",
  "\u0080",
  "\u07ff",
  "\u0800",
  "\ud7ff",
  "\ud800",
  "\udbff",
  "\udc00",
  "\udfff",
  "\ue000",
  "\uffff",
])("utf8Length is correct at the edge %j, alone and next to others", (edge) => {
  const encoded = (text: string) => new TextEncoder().encode(text).length;
  for (const text of [
    edge,
    `a${edge}`,
    `${edge}a`,
    `${edge}${edge}`,
    `\ud800${edge}`,
    `\udbff${edge}`,
    `${edge}\udc00`,
    `${edge}\udfff`,
  ]) {
    expect(utf8Length(text)).toBe(encoded(text));
    expect(utf8Length(`${text}\ud83d\ude00${text}`)).toBe(encoded(`${text}\ud83d\ude00${text}`));
  }
});

test("token counts round up to the next integer", () => {
  expect([0, 1, 4, 5].map(bytesOverFour)).toEqual([0, 1, 1, 2]);
  expect([0, 3, 8, 9].map(charsOverFour)).toEqual([0, 1, 2, 3]);
});
