import { expect, it } from "vitest";
import { POLICIES } from "@/lib/agents/registry";
import { unchanged } from "@/lib/core/compaction/retention";
import { everything } from "@/lib/core/compaction/simulation/positions";
import { addedItem, policyOf } from "@/lib/core/testing/policies";
import { checkPolicy } from "./check-policy";

/** One without an agent, one that clears older results too, one with many settings, and one that never compacts. */
const TRIED = ["custom", "gemini-cli", "openclaw", "none"];

it.each(POLICIES.flatMap((policy) => (TRIED.includes(policy.id) ? [[policy.id, policy] as const] : [])))(
  "%s passes, as it passes on sessions from another seed",
  (_, policy) => {
    // `lib/agents/invariants.test.ts` checks all presets of all policies; this test checks that some pass the command's own check.
    const checked = checkPolicy({ ...policy, presets: policy.presets.slice(-1) }, 1);
    expect(checked.flatMap(({ failure }) => failure ?? [])).toEqual([]);
    const compactions = checked.reduce((sum, one) => sum + one.compactions, 0);
    if (policy.id !== "none" && policy.id !== "recorded") expect(compactions).toBeGreaterThan(5);
  },
);

it("the check finds the shortest session on which a policy breaks an invariant", () => {
  const keepsResults = policyOf((view) => {
    const last = view.items.length - 1;
    return view.columns.kind[view.items.at(last)] === 4
      ? { ...unchanged(view, "skipped"), kept: [[last, last + 1]] }
      : undefined;
  });
  const [first] = checkPolicy({ ...keepsResults, own: "mine.mjs" }, 1);
  expect(first?.failure?.message).toMatch(
    /^mine\.mjs: the policy's answer before request \d+ is not possible: expected the results of call \d+ to go with it\.$/,
  );
  expect(first?.failure?.drawing).toMatch(/^c\d+ r\d+ \S+$/);
});

it("the check finds a policy that remembers earlier replays, and one that reads labels", () => {
  let asked = 0;
  const forgetful = policyOf((view) =>
    asked++ % 7 === 0 && view.items.length > 0 ? { ...unchanged(view, "failed"), kept: [] } : undefined,
  );
  expect(checkPolicy(forgetful, 1).some(({ failure }) => failure !== undefined)).toBe(true);
  const reads = policyOf((view) => {
    const isThere = view.items.list().some((item) => view.synthetic(item)?.label === "summary");
    return isThere ? undefined : { ...unchanged(view, "skipped"), kept: everything(view), added: [addedItem(10)] };
  });
  const found = checkPolicy(reads, 1).filter(({ failure }) => failure !== undefined);
  expect(found.map(({ name }) => name)).toEqual(["decides nothing by the label of an item"]);
});
