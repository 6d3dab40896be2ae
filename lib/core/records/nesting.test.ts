import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordsOfDocument } from "./document";
import { recordsOfLine } from "./jsonl";
import { MAX_LEVELS, NestingError, parseJson } from "./nesting";

const OPENINGS = [
  ["[", "]"],
  ['{"a":', "}"],
  ["[1, ", "]"],
  ['{"x":"[[[","a" : ', ' ,"y":"}}}"}'],
] as const;

function nested(levels: number, [open, close]: readonly [string, string]): string {
  return `${open.repeat(levels)}1${close.repeat(levels)}`;
}

/** A string above the size limit for immediate parsing, without nesting. */
const PADDING = `"${'[{\\"'.repeat(1_200_000)}"`;

describe.each(OPENINGS)("levels of %s", (...signs) => {
  it("are accepted up to the limit and rejected above it", () => {
    expect(parseJson(nested(MAX_LEVELS, signs))).toEqual(JSON.parse(nested(MAX_LEVELS, signs)));
    expect(() => parseJson(nested(MAX_LEVELS + 1, signs))).toThrow(NestingError);
  });

  it("are rejected in a long text before it is parsed", () => {
    const within = `{"p":${PADDING},"v":${nested(MAX_LEVELS - 1, signs)}}`;
    expect(parseJson(within)).toEqual(JSON.parse(within));
    expect(() => parseJson(`{"p":${PADDING},"v":${nested(MAX_LEVELS, signs)}}`)).toThrow(NestingError);
    expect(() => parseJson(nested(2_000_000, signs))).toThrow(NestingError);
  });
});

it("parseJson equals JSON.parse for all other texts", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 20 }), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
  for (const text of ["", "{", `[${"[".repeat(5000)}`, `{"a":"${"[".repeat(3000)}`, `${PADDING}${"]".repeat(5000)}`]) {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  }
});

describe("a line that is nested too deep", () => {
  const line = (text: string) => recordsOfLine({ line: 7, offset: 0, length: text.length, text });
  const deep = (levels: number) => `{"a":${nested(levels - 1, ["[", "]"])}}`;

  it.each([
    ["an object", deep(5000)],
    ["a list", nested(5000, ["[", "]"])],
    ["a long object", deep(1_000_000)],
    ["a long list behind white space", ` ${nested(1_000_000, ["[", "]"])}`],
  ])("is damaged: %s", (_what, text) => {
    expect(line(text)).toEqual({ records: [], damage: { line: 7, bytes: text.length, reason: "too deep" } });
  });

  it("leaves the records glued to it readable", () => {
    const { records, damage } = line(`{"b":1}${deep(5000)}{"c":2}`);
    expect(records.map(({ value }) => value)).toEqual([{ b: 1 }, { c: 2 }]);
    expect(damage?.reason).toBe("too deep");
  });

  it("is a record at the limit", () => {
    expect(line(deep(MAX_LEVELS)).records).toHaveLength(1);
  });

  it("is reported as cut off if its brackets never close", () => {
    expect(line(`{"a":${"[".repeat(5000)}`).damage?.reason).toBe("cut off");
    expect(line(`{"a":${'{"a":'.repeat(1_000_000)}`).damage?.reason).toBe("cut off");
  });
});

describe("a document that is nested too deep", () => {
  it.each([5000, 1_000_000])("is rejected: %i levels", (levels) => {
    expect(() => recordsOfDocument(nested(levels, ["[", "]"]))).toThrow(NestingError);
    expect(() => recordsOfDocument(`{"messages": ${nested(levels, ['{"a":', "}"])}}\n`)).toThrow(NestingError);
  });

  it("is not a document if it does not end or more text follows", () => {
    for (const levels of [5000, 1_000_000]) {
      expect(recordsOfDocument(`${nested(levels, ["[", "]"])}\n{"a":1}`)).toBeUndefined();
      expect(recordsOfDocument(`[${"[".repeat(levels)}\n{"a":"1}`)).toBeUndefined();
    }
  });
});
