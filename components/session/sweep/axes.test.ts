import { describe, expect, it } from "vitest";
import { POLICIES } from "@/lib/agents/registry";
import { rangeValues } from "@/lib/core/analysis/grid";
import { countedBySize } from "@/lib/core/columns/token-columns";
import type { SettingValue } from "@/lib/core/compaction/policy/settings";
import { recordingOf } from "@/lib/core/context/recording";
import { drawColumns } from "@/lib/core/testing/draw";
import { unknownFacts } from "@/lib/core/testing/unknown-facts";
import { policyChoice, withSettings } from "../shared/state/replay-choice";
import {
  defaultRange,
  MAX_VALUES,
  offered,
  parseVary,
  rangeProblem,
  sweepAxes,
  valueOfOwn,
  variable,
  varyText,
} from "./axes";

const columns = drawColumns("u10 a20");
const recording = recordingOf(unknownFacts(200_000), countedBySize(columns, "bytes-4"));

function choice(policy: string, given: Record<string, SettingValue> = {}) {
  const asked = { policy, preset: null, counting: null, window: 200_000 };
  return withSettings(policyChoice(asked, "custom", recording), given);
}

describe("default ranges", () => {
  it.each(POLICIES.map(({ id }) => id))("of %s are within the limits of every setting", (policy) => {
    for (const spec of variable(choice(policy))) {
      const range = defaultRange(spec);
      expect([spec.key, rangeProblem({ spec, range })]).toEqual([spec.key, undefined]);
      const values = rangeValues(range);
      expect(values.length, spec.key).toBeLessThanOrEqual(MAX_VALUES);
      expect(values.length, spec.key).toBeGreaterThan(1);
    }
  });

  it("are round numbers around the documented value", () => {
    const [trigger, keep] = sweepAxes(choice("custom"), []);
    expect(trigger?.range).toEqual({ key: "triggerShare", from: 0.4, to: 1, step: 0.05 });
    expect(keep?.range).toEqual({ key: "keepRecentTokens", from: 10_000, to: 40_000, step: 2500 });
  });
});

describe("the user's own settings on an axis", () => {
  const specOf = (policy: string, key: string) => {
    const spec = variable(choice(policy)).find((one) => one.key === key);
    if (spec === undefined) throw new Error(`${policy} has no ${key}`);
    return spec;
  };
  const buffer = specOf("claude-code", "autoBuffer");

  it("are at the value with the same threshold, whichever setting moves it", () => {
    // 60 % of the effective window of 180,000 tokens.
    expect(valueOfOwn(choice("claude-code"), choice("claude-code", { pctOverride: 60 }), buffer)).toBe(72_000);
    expect(valueOfOwn(choice("claude-code"), choice("claude-code", { autoBuffer: 40_000 }), buffer)).toBe(40_000);
  });

  it("have no place if another setting of the replay overrides the axis", () => {
    const held = choice("claude-code", { pctOverride: 30 });
    expect(valueOfOwn(held, choice("claude-code", { pctOverride: 60 }), buffer)).toBeUndefined();
  });

  it("are at their stated value if the axis moves no threshold", () => {
    const keep = specOf("custom", "keepRecentTokens");
    expect(valueOfOwn(choice("custom"), choice("custom", { keepRecentTokens: 7000 }), keep)).toBe(7000);
  });
});

describe("sweep axes", () => {
  it("default to the trigger and a setting that does not move it", () => {
    expect(sweepAxes(choice("codex"), []).map(({ spec }) => spec.key)).toEqual([
      "autoCompactLimit",
      "toolOutputTokens",
    ]);
    expect(sweepAxes(choice("recorded"), [])).toEqual([]);
  });

  it("default to an input setting if the policy has no numeric settings", () => {
    const [axis, ...others] = sweepAxes(choice("none"), []);
    expect([axis?.spec.key, others]).toEqual([variable(choice("none"))[0]?.key, []]);
    expect(axis).toBeDefined();
  });

  it("leave out settings without effect, unless selected or enabled by the other axis", () => {
    const keys = (...args: Parameters<typeof offered>) => offered(...args).map(({ key }) => key);
    expect(keys(choice("opencode", { prune: false }))).not.toContain("pruneProtect");
    expect(keys(choice("opencode", { prune: true }))).toContain("pruneProtect");
    const idle = choice("claude-code", { clearIdleMinutes: 0 });
    const dependent = variable(idle).find(({ needs }) => needs?.key === "clearIdleMinutes")?.key ?? "";
    expect(keys(idle)).not.toContain(dependent);
    expect(keys(idle, "clearIdleMinutes")).toContain(dependent);
    expect(keys(idle, undefined, dependent)).toContain(dependent);
    const asked = parseVary("pruneProtect=10000:20000:5000");
    const axes = sweepAxes(choice("opencode", { prune: false }), asked === null ? [] : [asked]);
    expect(axes.map(({ spec }) => spec.key)).toEqual(["pruneProtect"]);
  });

  it("include each selected setting that the policy has, once", () => {
    const asked = ["retain=0.1:0.5:0.1", "nope=1:2:1", "retain=0.2:0.4:0.1"].flatMap((text) => parseVary(text) ?? []);
    const axes = sweepAxes(choice("clawdcode"), asked);
    expect(axes.map(({ range }) => varyText(range))).toEqual(["retain=0.1:0.5:0.1"]);
  });

  it("state why a range is invalid", () => {
    const [axis] = sweepAxes(choice("custom"), []);
    if (axis === undefined) throw new Error("custom has settings");
    const problem = (from: number, to: number, step: number) =>
      rangeProblem({ ...axis, range: { key: axis.spec.key, from, to, step } });
    expect(problem(0.5, 0.9, 0.1)).toBeUndefined();
    expect(problem(0.5, 1.2, 0.1)).toBe("outside");
    expect(problem(0.9, 0.5, 0.1)).toBe("none");
    expect(problem(0.1, 0.9, 0.01)).toBe("many");
  });
});

it("a range of an axis is written in the address as on the command line", () => {
  const range = { key: "triggerShare", from: 0.5, to: 0.95, step: 0.05 };
  expect(varyText(range)).toBe("triggerShare=0.5:0.95:0.05");
  expect(parseVary(varyText(range))).toEqual(range);
  for (const text of ["", "triggerShare", "triggerShare=1:2", "triggerShare=a:2:3", "=1:2:3"]) {
    expect(parseVary(text)).toBeNull();
  }
});
