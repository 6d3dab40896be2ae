import { describe, expect, it } from "vitest";
import { sizeTokenColumn } from "../columns/token-columns";
import { drawColumns } from "../testing/draw";
import { basisOf, defaultCounting, isComparable, isMixed } from "./counting";
import { customPolicy } from "./policies/custom";
import { nonePolicy } from "./policies/none";
import { recordedReplay } from "./policies/recorded";
import type { Policy } from "./policy/policy";
import { resolveSettings } from "./policy/settings";
import { type CountingMode, replay } from "./replay";

/** Ten turns with usage: enough for a calibration. */
const FITTED = Array.from({ length: 10 }, (_, turn) => `u100 a10 @${(turn + 1) * 200}`).join(" ");
const USED = "u100 a300 @150 u100 a300 @700 u50 a10 @1100";
const UNUSED = "u100 a300 u100 a300 u50 a10";

const tokensOf = (columns: ReturnType<typeof drawColumns>) => sizeTokenColumn(columns, "bytes-4");

function basis(drawing: string, policy: Policy, counting: CountingMode, window = 1000) {
  const columns = drawColumns(drawing);
  const settings = resolveSettings(policy.settings("default", { window, agent: null }), {});
  return basisOf(replay({ columns, tokens: tokensOf(columns) }, policy, settings, { window, counting }), columns);
}

describe("default counting of a session", () => {
  it("uses its usage if it has any, else the estimate", () => {
    const counting = (drawing: string) => {
      const columns = drawColumns(drawing);
      return defaultCounting({ columns, tokens: tokensOf(columns) });
    };
    expect(counting(USED)).toBe("anchored");
    expect(counting(FITTED)).toBe("anchored");
    expect(counting("u100 a300 u100 a300 @700 u50 a10")).toBe("anchored");
    expect(counting(UNUSED)).toBe("estimate");
  });
});

describe("the basis of metrics", () => {
  it("is recorded usage while the replay follows the recording, and for the recording itself", () => {
    expect(basis(USED, nonePolicy, "anchored")).toBe("recorded");
    const columns = drawColumns(USED);
    expect(basisOf(recordedReplay({ columns, tokens: tokensOf(columns) }, 1000), columns)).toBe("recorded");
  });

  it("is an estimate after the replay departs from the recording, calibrated if a factor was fitted", () => {
    expect(basis(USED, customPolicy, "anchored")).toBe("estimate");
    expect(basis(FITTED, customPolicy, "anchored")).toBe("calibrated");
    expect(basis(FITTED, nonePolicy, "calibrated")).toBe("calibrated");
    expect(basis(USED, nonePolicy, "calibrated")).toBe("estimate");
    expect(basis(FITTED, nonePolicy, "estimate")).toBe("estimate");
  });

  it("is an estimate if no usage is recorded, even for the recording", () => {
    expect(basis(UNUSED, nonePolicy, "anchored")).toBe("estimate");
    const columns = drawColumns(UNUSED);
    expect(basisOf(recordedReplay({ columns, tokens: tokensOf(columns) }, 1000), columns)).toBe("estimate");
  });

  it("is recorded usage if only requests without usage are estimated", () => {
    expect(basis("u100 a300 u100 a300 @700 u50 a10", nonePolicy, "anchored")).toBe("recorded");
  });

  it("allows comparison unless one side is an uncalibrated estimate", () => {
    expect(isComparable("recorded", "calibrated")).toBe(true);
    expect(isComparable("estimate", "estimate")).toBe(true);
    expect(isComparable("recorded", "estimate")).toBe(false);
    expect(isComparable("calibrated", "estimate")).toBe(false);
    expect([isMixed([]), isMixed(["recorded", "calibrated"]), isMixed(["estimate", "estimate"])]).toEqual([
      false,
      false,
      false,
    ]);
    expect(isMixed(["recorded", "calibrated", "estimate"])).toBe(true);
  });
});
