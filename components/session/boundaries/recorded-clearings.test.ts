import { expect, it } from "vitest";
import { drawColumns } from "@/lib/core/testing/draw";
import { recordedClearings } from "./recorded-clearings";

it("the recorded clearings state their request and number of results; compactions are not among them", () => {
  const columns = drawColumns("u10 c5 r100 | c5 r80 a1 u20 -2 a1 B s20 u1 c1 r9 a1 u1 -1 a1");
  expect(recordedClearings(columns)).toEqual([
    { request: 3, results: 2 },
    { request: 6, results: 1 },
  ]);
});
