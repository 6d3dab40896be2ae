import fc from "fast-check";
import { expect, test } from "vitest";
import { IdTable } from "./id-table";

test("the table numbers ids in order of first appearance and finds them again", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 4 }), { maxLength: 3000 }), fc.string(), (ids, other) => {
      const table = new IdTable();
      const names = [...new Set(ids)];
      expect(ids.map((id) => table.index(id))).toEqual(ids.map((id) => names.indexOf(id)));
      expect(table.length).toBe(names.length);
      expect([...names, other].map((id) => table.find(id))).toEqual([...names, other].map((id) => names.indexOf(id)));
    }),
    { numRuns: 30 },
  );
});

test("the table separates a hundred thousand ids that differ in one character", () => {
  const table = new IdTable();
  const ids = Array.from(
    { length: 100_000 },
    (_, index) => `6bd6031e-03b3-48de-bc5d-${index.toString(16).padStart(12, "0")}`,
  );
  expect(ids.filter((id, index) => table.index(id) !== index)).toEqual([]);
  expect(table.length).toBe(ids.length);
});
