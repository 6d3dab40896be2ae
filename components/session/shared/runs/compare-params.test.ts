import { describe, expect, it } from "vitest";
import { baseWithout, placesOfKnown, runsParser } from "./run-param";

describe("the runs of a comparison in the address", () => {
  it("keep their index even if another run names an unknown policy", () => {
    const runs = runsParser.parse("nope~custom,triggerShare=0.3~recorded~none") ?? [];
    expect(placesOfKnown(runs)).toEqual([1, 3]);
  });

  it("are limited to the maximum number of runs", () => {
    const runs = runsParser.parse("none~none~nope~none~none~none") ?? [];
    expect(placesOfKnown(runs)).toEqual([0, 1, 3, 4]);
  });

  it("keep the run that differences refer to when another run is removed", () => {
    const [recorded, panel, c, d, e] = [0, 1, 2, 3, 4];
    expect(baseWithout(panel, c)).toBe(panel);
    expect(baseWithout(d, e)).toBe(d);
    expect(baseWithout(e, c)).toBe(d);
    expect(baseWithout(d, d)).toBe(recorded);
  });
});
