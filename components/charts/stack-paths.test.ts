import { expect, it } from "vitest";
import { BANDS } from "./bands";
import { chartFrame } from "./frame";
import { stackPaths } from "./stack-chart";

const frame = chartFrame({
  width: 120,
  height: 110,
  margin: { left: 20, right: 0, top: 10, bottom: 0 },
  from: 0,
  to: 2,
  top: 100,
});
const bands = BANDS.filter(({ id }) => id === "user" || id === "results");

it("every band is stacked on those below it, in steps that end where the next request begins", () => {
  const rows = [
    { request: 0, user: 10, results: 20 },
    { request: 1, user: 40 },
    { request: 2, user: 40 },
  ];
  expect(stackPaths(rows, bands, frame)).toEqual([
    "M0 100V90H50V60H100V100H50V100H0Z",
    "M0 90V70H50V60H100V60H50V90H0Z",
  ]);
});

it("no band is drawn if no request is visible", () => {
  expect(stackPaths([], bands, frame)).toEqual(["", ""]);
});
