import fc from "fast-check";
import { expect, test } from "vitest";
import { looksLikeDocument, recordsOfDocument } from "./document";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const at = (text: string, record: { offset: number; length: number }) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(
    bytesOf(text).subarray(record.offset, record.offset + record.length),
  );

test.each([
  ['{\n  "sessionId": "x"\n}', true],
  ['\ufeff[{"role":"user"}]', true],
  ["\n [\n", true],
  ['{"type":"user"}\n{"type":"user"}\n', false],
  ['{"type":"user"}', false],
  ['{"a":1}{"b":2}\n', false],
  ["not json\n", false],
])("%j looks like a document: %s", (text, expected) => {
  expect(looksLikeDocument(text)).toBe(expected);
});

test("an object is one record, and a list one record per object, at its own offset", () => {
  const object = '\n{ "名": "值",\n "b": [1] }\n';
  const [only] = recordsOfDocument(object) ?? [];
  expect(only && JSON.parse(at(object, only))).toEqual({ 名: "值", b: [1] });
  const list = '[\n {"a":"}{\\"字"},\n\n {"b":{"c":{}}} ]';
  const records = recordsOfDocument(list) ?? [];
  expect(records.map((record) => [record.line, JSON.parse(at(list, record))])).toEqual([
    [2, { a: '}{"字' }],
    [4, { b: { c: {} } }],
  ]);
});

test.each(["\ufeff{}", ' {"名":1}\r\n\t \n', "{}"])(
  "%j has the same offsets if the caller passes its length",
  (text) => {
    const known = recordsOfDocument(text, [], bytesOf(text).length);
    expect(known).toEqual(recordsOfDocument(text));
    expect(known?.map((record) => at(text, record))).toEqual([text.replace("\ufeff", "").trim()]);
  },
);

test.each(["[1]", '[{"a":1}, null]', '{"a":1}\n{"b":2}', "", "7"])("%j is not a document", (text) => {
  expect(recordsOfDocument(text)).toBeUndefined();
});

const HAR = [["log", "entries"]];

test("a list within an object gives the records if the format names the list", () => {
  const text = `{ "log": {"entries": 0,\n "a\\"]}": [[{"x": "]"}], -1e3, null], "entries" : [ {"n": "字"},\n{"n": 2} ] }, "b": 1 }`;
  const records = recordsOfDocument(text, HAR) ?? [];
  expect(records.map((record) => [record.line, JSON.parse(at(text, record))])).toEqual([
    [2, { n: "字" }],
    [3, { n: 2 }],
  ]);
  expect(recordsOfDocument(text)).toHaveLength(1);
});

test.each(['{"log":{"entries":[]}}', '{"log":{"entries":[1]}}', '{"log":[]}', '{"entries":[{}]}'])(
  "%s is one record",
  (text) => {
    expect(recordsOfDocument(text, HAR)?.map((record) => at(text, record))).toEqual([text]);
  },
);

test.each([
  ['{"log":{"entries":[{}]}}\n', true],
  ['{ "log" : {\n', true],
  ['{"log":1}\n{"log":2}\n', false],
  ['{"logs":{}}\n', false],
])("%j begins with the key of a list of records: %s", (text, expected) => {
  expect(looksLikeDocument(text, HAR)).toBe(expected);
});

test("offsets within an object are correct for any list and any text around it", () => {
  const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 1, maxLength: 5 });
  const around = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
  fc.assert(
    fc.property(objects, around, around, fc.constantFrom(undefined, 1), (entries, outer, inner, indent) => {
      const text = JSON.stringify({ ...outer, log: { ...inner, entries } }, null, indent);
      const records = recordsOfDocument(text, HAR) ?? [];
      expect(records.map((record) => JSON.stringify(JSON.parse(at(text, record))))).toEqual(
        entries.map((value) => JSON.stringify(value)),
      );
    }),
  );
});

test("offsets are correct for any list of objects in any notation", () => {
  const quoted = fc.string({ unit: fc.constantFrom('"', "\\", "{", "}", "a") });
  const objects = fc.array(fc.dictionary(quoted, fc.oneof(quoted, fc.jsonValue())), { maxLength: 6 });
  fc.assert(
    fc.property(objects, fc.constantFrom(undefined, 1, "\t"), (values, indent) => {
      const text = JSON.stringify(values, null, indent);
      const records = recordsOfDocument(text) ?? [];
      expect(records.map((record) => JSON.stringify(JSON.parse(at(text, record))))).toEqual(
        values.map((value) => JSON.stringify(value)),
      );
    }),
  );
});
