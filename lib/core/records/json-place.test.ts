import fc from "fast-check";
import { expect, it } from "vitest";
import { lineAt, placeInJson } from "./json-place";

/** Every path into a value, including the empty path. */
function paths(
  value: unknown,
  path: readonly PropertyKey[] = [],
): readonly (readonly [readonly PropertyKey[], unknown])[] {
  const own = [[path, value] as const];
  if (Array.isArray(value)) return [...own, ...value.flatMap((one, index) => paths(one, [...path, index]))];
  if (typeof value !== "object" || value === null) return own;
  return [...own, ...Object.entries(value).flatMap(([key, one]) => paths(one, [...path, key]))];
}

it("the search finds the place of every value in any notation", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, "\t"), (value, space) => {
      const text = JSON.stringify(value, null, space);
      for (const [path, one] of paths(JSON.parse(text))) {
        const at = placeInJson(text, path);
        expect(text.slice(at).startsWith(JSON.stringify(one)[0] ?? "")).toBe(true);
        const rest = JSON.stringify(one, null, space).split("\n")[0] ?? "";
        expect(text.slice(at, at + rest.length)).toBe(rest);
      }
    }),
  );
});

it("for a missing path, the search returns the nearest enclosing value", () => {
  const text = '{\n "rows": [\n  {"a": 1},\n  {"b": "}]"}\n ]\n}';
  expect(lineAt(text, placeInJson(text, ["rows", 1, "input"]))).toBe(4);
  expect(lineAt(text, placeInJson(text, ["rows", 7]))).toBe(2);
  expect(lineAt(text, placeInJson(text, ["none"]))).toBe(1);
});
