import { expect, test } from "vitest";
import { drawColumns } from "../testing/draw";
import { itemFilter } from "./item-filter";

test("before the first response all items are in the context of the next request", () => {
  const columns = drawColumns("u10 u20");
  const found = (context: "in" | "out") => [1, 2].map(itemFilter(columns, { context }));
  expect([found("in"), found("out")]).toEqual([
    [true, true],
    [false, false],
  ]);
});
