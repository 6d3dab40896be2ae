import fc from "fast-check";
import { expect, test } from "vitest";
import { isoTime } from "./iso-time";

test.each([
  ["2026-01-31T23:59:59.999Z", Date.UTC(2026, 0, 31, 23, 59, 59, 999)],
  ["2024-02-29T00:00:00.000Z", Date.UTC(2024, 1, 29)],
  ["2026-01-31T23:59Z", Date.UTC(2026, 0, 31, 23, 59)],
  ["2026-01-31 23:59:59", Date.UTC(2026, 0, 31, 23, 59, 59)],
  ["2026-01-31T23:59:59.123456Z", Date.UTC(2026, 0, 31, 23, 59, 59, 123)],
  ["2026-01-31T23:59:59+02:00", Date.UTC(2026, 0, 31, 21, 59, 59)],
  ["2026-13-01T00:00:00.000Z", undefined],
  ["2026-01-01T24:01:00.000Z", undefined],
  ["2026-01-01", undefined],
  ["1769904000000", undefined],
  ["", undefined],
  [1769904000000, undefined],
  [null, undefined],
])("isoTime reads %j as %j", (value, at) => {
  expect(isoTime(value)).toBe(at);
});

test("isoTime equals Date.parse for every time in JavaScript's own format", () => {
  const times = fc.integer({ min: Date.UTC(0, 0), max: Date.UTC(9999, 11, 31) });
  const read = fc.property(times, (at) => {
    expect(isoTime(new Date(at).toISOString())).toBe(at);
  });
  fc.assert(read, { numRuns: 3000 });
});

test("isoTime rejects a time with a changed character unless the format is still valid", () => {
  const unit = fc.constantFrom(..."0123456789TZ:.-+, x");
  fc.assert(
    fc.property(fc.nat({ max: 23 }), unit, (index, changed) => {
      const time = "2026-02-28T19:58:27.603Z";
      const text = time.slice(0, index) + changed + time.slice(index + 1);
      const iso = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?$/.test(text);
      const at = Date.parse(/Z$|[+-]\d\d:?\d\d$/.test(text) ? text : `${text}Z`);
      expect(isoTime(text)).toBe(iso && !Number.isNaN(at) ? at : undefined);
    }),
    { numRuns: 1000 },
  );
});
