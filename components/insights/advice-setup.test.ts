import { expect, it } from "vitest";
import { rangeProblem } from "@/components/session/sweep/axes";
import { rangeValues } from "@/lib/core/analysis/grid";
import { chosenOf } from "@/lib/queries/session/session-context";
import { adviceSetup, advisedPolicies, rangeOf } from "./advice-setup";

const NOTHING = { policy: null, preset: null, vary: [] };

it.each(advisedPolicies().map(({ id }) => id))("%s has a default setting to vary, with a valid default range", (id) => {
  const { axis, policy, problem } = adviceSetup({ ...NOTHING, policy: id }, null);
  expect([policy.id, problem]).toEqual([id, undefined]);
  if (axis === undefined) throw new Error("a policy that is asked about has a number to vary");
  expect(rangeProblem(axis)).toBeUndefined();
  expect(rangeValues(axis.range).length).toBeGreaterThan(1);
  expect(rangeValues(axis.range).length).toBeLessThanOrEqual(40);
});

it("the default range of the trigger covers most of the window", () => {
  const setup = adviceSetup(NOTHING, null);
  const { axis, policy, settings, window } = setup;
  if (axis === undefined) throw new Error("custom has a trigger");
  const shares = rangeValues(axis.range).map((value) => {
    const chosen = chosenOf({ ...setup, settings: { ...settings, [axis.spec.key]: value } });
    return (policy.threshold?.(chosen) ?? 0) / window.tokens;
  });
  expect(Math.min(...shares)).toBeLessThan(0.45);
  expect(Math.max(...shares)).toBeGreaterThan(0.85);
});

it("the policy in the address precedes that of the sessions' agent; invalid choices are replaced", () => {
  const vary = [{ key: "keepRecentTokens", from: 1000, to: 3000, step: 1000 }];
  expect(adviceSetup({ ...NOTHING, policy: "custom", vary }, "codex").axis?.range).toEqual(vary[0]);
  expect(adviceSetup(NOTHING, "codex").policy.id).toBe("codex");
  for (const id of ["recorded", "none", "no-such"]) {
    expect(adviceSetup({ ...NOTHING, policy: id }, "codex").policy.id).toBe("custom");
  }
  const other = rangeOf(adviceSetup(NOTHING, null), "keepRecentTokens");
  expect(other?.key).toBe("keepRecentTokens");
});
