import { expect, test } from "vitest";
import { listTable } from "./all-sessions";
import { aView } from "./testing/rows";

test("an exported list has a value for every heading, and an empty one if it is unknown", () => {
  const { heads, rows } = listTable(
    [aView("id", { title: "Mend, then test", cost: 0, peak: null, models: [] })],
    (column) => column,
  );
  const row = Object.fromEntries(heads.map((head, index) => [head, rows[0]?.[index]]));
  expect(rows[0]).toHaveLength(heads.length);
  expect(row).toMatchObject({ title: "Mend, then test", cost: 0, peak: null, model: null });
});
