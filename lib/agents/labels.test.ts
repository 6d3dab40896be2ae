import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ContextView, Policy, SyntheticItem } from "@/lib/core/compaction/policy/policy";
import type { Replay } from "@/lib/core/compaction/replay";
import { unchanged } from "@/lib/core/compaction/retention";
import { everything } from "@/lib/core/compaction/simulation/positions";
import { addedItem, policyOf, relabelled } from "@/lib/core/testing/policies";
import { arbitraryRun, type GeneratedRun, replayed } from "@/verify/support/arbitrary-run";
import { POLICIES } from "./registry";

/** Labels that the policies of this build give to the items that they add, and some that no policy uses. */
const LABELS = [
  ...["summary", "acknowledgement", "automatic summary", "request to go on", "compaction request"],
  ...["note in a summary's place", "turn in which memories are written down", "files put back", "12 images put back"],
  ...["failed attempt", "tool results cleared up to item 7", ""],
];

/** Everything in a replay except the labels of the added items. */
function numbersOf({ added, compactions, ...run }: Replay): unknown {
  const nameless = ({ kind, name, role, tokens, files }: SyntheticItem) => ({ kind, name, role, tokens, files });
  return {
    ...run,
    added: added.map(({ item, ...rest }) => ({ ...rest, ...nameless(item) })),
    compactions: compactions.map((one) => ({ ...one, added: one.added.map(nameless) })),
  };
}

/** Expects the same replay with other labels, and returns the number of added items. */
function compared(policy: Policy, given: GeneratedRun, label: () => string): number {
  const { run } = replayed(given, policy);
  const [labelled, plain] = [numbersOf(replayed(given, relabelled(policy, label)).run), numbersOf(run)];
  // The matcher is slow, so it runs only to show a difference.
  if (!isDeepStrictEqual(labelled, plain)) expect(labelled).toEqual(plain);
  return run.added.length;
}

const CASES = POLICIES.filter(({ summarises }) => summarises !== false).flatMap((policy) =>
  policy.presets.map((preset) => ({ name: `${policy.id}@${preset}`, policy, preset })),
);

test.each(CASES)("$name makes no decision by an item's label", ({ policy, preset }) => {
  let added = 0;
  const labels = fc.array(fc.constantFrom(...LABELS), { minLength: 1 });
  const property = fc.property(arbitraryRun(policy, preset), fc.boolean(), labels, (given, isLarge, names) => {
    let at = 0;
    // Some policies do nothing in windows that small sessions fill.
    const drawing = isLarge ? given.drawing.replace(/([a-z])(\d+)/g, "$1$200") : given.drawing;
    added += compared(policy, { ...given, drawing }, () => names[at++ % names.length] ?? "");
  });
  fc.assert(property, { numRuns: 80, seed: 7 });
  expect(added).toBeGreaterThan(5);
});

test("a policy that reads a label is caught", () => {
  const reads = (view: ContextView) => view.items.list().some((item) => view.synthetic(item)?.label === "summary");
  const policy = policyOf((view) => ({
    ...unchanged(view, "skipped"),
    kept: everything(view),
    trigger: "threshold",
    added: reads(view) ? [] : [addedItem(10)],
  }));
  const given: GeneratedRun = {
    drawing: "u1 a1 u1 a1 u1 a1",
    preset: "default",
    window: 1000,
    counting: "estimate",
    settings: {},
  };
  expect(() => compared(policy, given, () => "another")).toThrow();
});
