import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineSplitter, type LineSplitterOptions, type RawLine, recordsOfLine } from "./jsonl";
import type { Damage } from "./problem";

const utf8 = new TextEncoder();
const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

function rawLine(text: string, offset = 0): RawLine {
  return { line: 1, offset, length: utf8.encode(text).length, text };
}

/** Formats records as `value@offset+length`, followed by the damage. */
function read(text: string, offset = 0): string {
  const { records, damage } = recordsOfLine(rawLine(text, offset));
  const found = records.map((record) => `${JSON.stringify(record.value)}@${record.offset}+${record.length}`);
  return [...found, ...(damage === undefined ? [] : [`${damage.reason} ${damage.bytes}`])].join(" | ");
}

describe("recordsOfLine", () => {
  it.each([
    ["one object", '{"a":1}', '{"a":1}@0+7'],
    ["space around it", ' {"a":1}\t', '{"a":1}@0+9'],
    ["an empty line", "", ""],
    ["a blank line", " \t\r ", ""],
    ["two glued objects", '{"a":1}{"b":2}', '{"a":1}@0+7 | {"b":2}@7+7'],
    ["three, with space between", '{"a":1} {"b":2}  {"c":3} ', '{"a":1}@0+7 | {"b":2}@8+7 | {"c":3}@17+7'],
    ["braces and quotes within strings", '{"a":"}{\\""}{"b":"\\\\"}', '{"a":"}{\\""}@0+12 | {"b":"\\\\"}@12+10'],
    ["glued behind characters of several bytes", '{"字":"😀é"}{"b":1}', '{"字":"😀é"}@0+16 | {"b":1}@16+7'],
    ["nested objects", '{"a":{"b":{}}}{"c":[{}]}', '{"a":{"b":{}}}@0+14 | {"c":[{}]}@14+10'],
    ["text that is not JSON", "garbage", "not JSON 7"],
    ["NUL bytes", "\0\0\0", "not JSON 3"],
    ["NUL bytes before an object", '\0{"a":1}', '{"a":1}@1+7 | not JSON 8'],
    ["NUL bytes behind an object", '{"a":1}\0\0', '{"a":1}@0+7 | not JSON 9'],
    ["a string", '"text"', "not an object 6"],
    ["a number", "42", "not an object 2"],
    ["null", "null", "not an object 4"],
    ["an array", '[{"a":1}]', "not an object 9"],
    ["an object cut within", '{"a":1,"b', "cut off 9"],
    ["an object cut within a string", '{"a":"x', "cut off 7"],
    ["an object cut behind an escape", '{"a":"x\\', "cut off 8"],
    ["only its brace", "{", "cut off 1"],
    ["an object, then one cut off", '{"a":1}{"b":', '{"a":1}@0+7 | cut off 12'],
    ["an object, then a value that is not an object", '{"a":1}[2]', '{"a":1}@0+7 | not an object 10'],
    ["an object, then garbage", '{"a":1}garbage', '{"a":1}@0+7 | not JSON 14'],
    ["a closed object that is not JSON", '{"a":1,}', "not JSON 8"],
    ["an object behind one that is not JSON", '{"a":1}{bad}{"c":3}', '{"a":1}@0+7 | {"c":3}@12+7 | not JSON 19'],
    ["an object after one with an invalid escape", '{"a":"\\x"}{"b":1}', '{"b":1}@10+7 | not JSON 17'],
    [
      "a record behind one cut within a string",
      '{"a":1,"t":"first {"a":2,"t":"x"}',
      '{"a":2,"t":"x"}@18+15 | cut off 33',
    ],
    ["a record behind one cut within a key", '{"a":1,"t{"a":2,"t":"x"}', '{"a":2,"t":"x"}@9+15 | cut off 24'],
    ["a record behind one cut before a key", '{"a":1,{"a":2}', '{"a":2}@7+7 | cut off 14'],
    ["a record behind one cut before a value", '{"a":1,"b":{"a":2,"b":3}', '{"a":2,"b":3}@11+13 | cut off 24'],
    ["a record behind one cut within a number", '{"a":-{"a":2}', '{"a":2}@6+7 | cut off 13'],
    ["a record behind one cut behind an escape", '{"a":"x\\{"a":2}', '{"a":2}@8+7 | cut off 15'],
    ["a record behind one cut behind an inner object", '{"a":1,"b":{"c":2}{"a":3}', '{"a":3}@18+7 | cut off 25'],
    [
      "records behind two cut ones",
      '{"a":1,"b":[{"a":2,"b":3}{"a":[{"a":3}',
      '{"a":2,"b":3}@12+13 | {"a":3}@31+7 | cut off 38',
    ],
    ["NUL bytes within a cut record", '{"a":\0\0\0{"a":2}\0', '{"a":2}@8+7 | cut off 16'],
    ["a record before a cut one", '\0{"a":1}{"a":', '{"a":1}@1+7 | not JSON 13'],
    ["an inner object that a cut record ends with", '{"a":1,"b":{"c":2}', "cut off 18"],
    ["an inner object with the key of the record", '{"a":1,"b":[{"a":2,"c":3}', "cut off 25"],
    ["inner objects of a record that is not JSON", '{"a":{"b":1},"c":x,"d":{"e":2}}', "not JSON 31"],
    ["an object within text", 'sent {"a":1} twice', "not JSON 18"],
    ["an object that is the value of text", 'data: {"a":1}', "not JSON 13"],
    ["braces without a key", "{abc", "not JSON 4"],
    ["bytes, not characters, are counted", "字", "not JSON 3"],
  ])("%s", (_name, text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it("adds the line's offset to that of each record", () => {
    expect(read('{"a":1}{"b":2}', 100)).toBe('{"a":1}@100+7 | {"b":2}@107+7');
  });

  it("sets the line's number on every record and on the damage", () => {
    const { records, damage } = recordsOfLine({ ...rawLine('{"a":1}{"b":2}{'), line: 7 });
    expect([...records.map((record) => record.line), damage?.line]).toEqual([7, 7, 7]);
  });

  it("finds glued objects with any content at their byte offsets", () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 4 }), (objects) => {
        const text = objects.map((object) => JSON.stringify(object)).join(" ");
        const bytes = utf8.encode(text);
        const { records, damage } = recordsOfLine(rawLine(text));
        expect(damage).toBeUndefined();
        const cut = records.map(({ offset, length }) => JSON.parse(decode(bytes.subarray(offset, offset + length))));
        expect(cut).toEqual(objects.map((object) => JSON.parse(JSON.stringify(object))));
        expect(records.map((record) => record.value)).toEqual(cut);
      }),
    );
  });

  it("classifies any text as records, damage or a blank line", () => {
    const text = fc.string({
      unit: fc.constantFrom("{", "}", '"', "\\", "a", ":", ",", "1", " ", "[", "\0", "\ud83d"),
    });
    fc.assert(
      fc.property(text, (content) => {
        const { records, damage } = recordsOfLine(rawLine(content));
        const blank = content.trim() === "";
        expect(records.length > 0 || damage !== undefined).toBe(!blank);
        if (damage !== undefined) expect(damage.bytes).toBe(utf8.encode(content).length);
      }),
      { numRuns: 1000 },
    );
  });
});

interface Split {
  readonly lines: RawLine[];
  readonly tooLong: Damage[];
}

/** Splits lines one by one and in blocks; both must give the same lines. */
function split(bytes: Uint8Array, chunk = bytes.length, maxLineBytes = 1000): Split {
  const one = splitWith(bytes, chunk, maxLineBytes, {});
  expect(splitWith(bytes, chunk, maxLineBytes, { decodeAscii })).toEqual(one);
  return one;
}

const decodeAscii = (bytes: Uint8Array) => (bytes.every((byte) => byte < 0x80) ? decode(bytes) : undefined);

function splitWith(
  bytes: Uint8Array,
  chunk: number,
  maxLineBytes: number,
  options: Pick<LineSplitterOptions, "decodeAscii">,
): Split {
  const lines: RawLine[] = [];
  const tooLong: Damage[] = [];
  const splitter = new LineSplitter({
    ...options,
    decode,
    maxLineBytes,
    onLine: (line) => lines.push(line),
    onTooLong: (damage) => tooLong.push(damage),
  });
  const reused = new Uint8Array(Math.max(1, chunk));
  for (let at = 0; at < bytes.length; at += reused.length) {
    const part = bytes.subarray(at, at + reused.length);
    reused.fill(0x2e);
    reused.set(part);
    splitter.push(reused.subarray(0, part.length));
  }
  splitter.end();
  return { lines, tooLong };
}

/** Formats lines as `line@offset+length text`. */
function lines(text: string, chunk?: number): string[] {
  return split(utf8.encode(text), chunk).lines.map((one) => `${one.line}@${one.offset}+${one.length} ${one.text}`);
}

describe("LineSplitter", () => {
  it.each([
    ["LF", "ab\nc\n", ["1@0+2 ab", "2@3+1 c"]],
    ["CR LF", "ab\r\nc\r\n", ["1@0+2 ab", "2@4+1 c"]],
    ["no final newline", "ab\nc", ["1@0+2 ab", "2@3+1 c"]],
    ["a CR LF that is cut at the end", "ab\r", ["1@0+2 ab"]],
    ["a CR within a line stays", "a\rb\n", ["1@0+3 a\rb"]],
    ["blank lines are lines", "\n\r\na\n", ["1@0+0 ", "2@1+0 ", "3@3+1 a"]],
    ["an empty file", "", []],
    ["a byte order mark is not part of the first line", "\ufeffab\n\ufeffc\n", ["1@3+2 ab", "2@6+4 \ufeffc"]],
    ["a byte order mark and nothing else", "\ufeff", ["1@3+0 "]],
    ["offsets count bytes", "字😀\nb\n", ["1@0+7 字😀", "2@8+1 b"]],
    ["NUL bytes", "\0\0\na\n", ["1@0+2 \0\0", "2@3+1 a"]],
  ])("%s", (_name, text, expected) => {
    for (let chunk = 1; chunk <= 8; chunk++) expect(lines(text, chunk)).toEqual(expected);
  });

  it("splits into the same lines with any chunking", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r", "字", "😀", "\0", "\ufeff") });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (content, chunk) => {
        expect(lines(content, chunk)).toEqual(lines(content));
      }),
    );
  });

  it("reports a line above the limit by its length and continues", () => {
    const bytes = utf8.encode(`ab\n${"x".repeat(50)}\r\ncd\n`);
    for (let chunk = 1; chunk < 60; chunk++) {
      const { lines: found, tooLong } = split(bytes, chunk, 10);
      expect(tooLong).toEqual([{ line: 2, bytes: 50, reason: "too long" }]);
      expect(found.map(({ line, offset, text }) => [line, offset, text])).toEqual([
        [1, 0, "ab"],
        [3, 55, "cd"],
      ]);
    }
  });

  it.each(["\n", "\r\n", ""])("accepts a line of exactly the limit that ends with %j, but not one byte more", (end) => {
    for (let chunk = 1; chunk < 14; chunk++) {
      expect(split(utf8.encode(`0123456789${end}`), chunk, 10).lines).toHaveLength(1);
      expect(split(utf8.encode(`0123456789X${end}`), chunk, 10).tooLong).toEqual([
        { line: 1, bytes: 11, reason: "too long" },
      ]);
    }
  });

  it("does not count the byte order mark against the limit", () => {
    for (let chunk = 1; chunk < 14; chunk++) {
      expect(split(utf8.encode("\ufeff0123456789\n"), chunk, 10).lines).toHaveLength(1);
      expect(split(utf8.encode("\ufeff0123456789X\n"), chunk, 10).tooLong).toHaveLength(1);
    }
  });

  it("splits into the same lines in blocks", () => {
    const line = fc.tuple(fc.constantFrom("a", "é", ""), fc.nat({ max: 40_000 }), fc.constantFrom("\n", "\r\n"));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.integer({ min: 5_000, max: 300_000 }), (drawn, chunk) => {
        const text = drawn.map(([unit, length, end]) => `${unit.repeat(length)}${end}`).join("");
        expect(split(utf8.encode(text), chunk, 30_000).lines.length).toBeLessThanOrEqual(drawn.length);
      }),
      { numRuns: 30 },
    );
  });

  it("continues at a given line and offset", () => {
    const found: RawLine[] = [];
    const onLine = (line: RawLine) => found.push(line);
    const from = { line: 3, offset: 20 };
    const splitter = new LineSplitter({ decode, maxLineBytes: 10, onLine, onTooLong: () => undefined, from });
    splitter.push(utf8.encode("ab\ncd\n"));
    splitter.end();
    expect(found).toEqual([
      { line: 3, offset: 20, length: 2, text: "ab" },
      { line: 4, offset: 23, length: 2, text: "cd" },
    ]);
  });
});
