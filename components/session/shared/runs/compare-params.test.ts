import { describe, expect, it } from "vitest";
import { baseWithout, placesOfKnown, runsParser } from "./run-param";

describe("the runs of a comparison in the address", () => {
  it("keep their index beside unknown policies", () => {
    const runs = runsParser.parse("nope~custom,triggerShare=0.3~recorded~none") ?? [];
    expect(placesOfKnown(runs)).toEqual([1, 3]);
  });

  it("are limited to what the comparison takes", () => {
    const runs = runsParser.parse("none~none~nope~none~none~none") ?? [];
    expect(placesOfKnown(runs)).toEqual([0, 1, 3, 4]);
  });

  it("keep their base when another run is removed", () => {
    const [recorded, panel, c, d, e] = [0, 1, 2, 3, 4];
    expect(baseWithout(panel, c)).toBe(panel);
    expect(baseWithout(d, e)).toBe(d);
    expect(baseWithout(e, c)).toBe(d);
    expect(baseWithout(d, d)).toBe(recorded);
  });
});
