import fc from "fast-check";
import { expect, test } from "vitest";
import { NEVER } from "../../columns/membership";
import { sizeTokenColumn } from "../../columns/token-columns";
import { arbitraryDrawing } from "../../testing/arbitrary";
import { drawColumns } from "../../testing/draw";
import { wildPolicy } from "../../testing/wild-policy";
import { customPolicy } from "../policies/custom";
import { nonePolicy } from "../policies/none";
import type { Policy } from "../policy/policy";
import { resolveSettings } from "../policy/settings";
import { replay } from "../replay";
import { trajectoryOf } from "./trajectory";

function runner(drawing: string) {
  const columns = drawColumns(drawing);
  const tokens = sizeTokenColumn(columns, "bytes-4");
  const run = (policy: Policy, given: Record<string, unknown> = {}) => {
    const settings = resolveSettings(policy.settings("default", { window: 1000, agent: null }), given);
    return replay({ columns, tokens }, policy, settings, { window: 1000, counting: "estimate" });
  };
  return { columns, run };
}

test("a replay allocates no column for events that do not happen in it", () => {
  const { run } = runner("u100 a300 | u100 c5 r300 | a50 u50 a10");
  const [first, second] = [run(nonePolicy), run(customPolicy, { triggerShare: 0.5, keepRecentTokens: 120 })];
  expect(second.compactions.length).toBeGreaterThan(0);
  expect(second.cleared).toBe(first.cleared);
  expect(second.unattributed).toBe(first.unattributed);
  expect(second.estimated).toBe(first.estimated);
  expect(second.dropped).not.toBe(first.dropped);
  // Without a compaction, every category's series is the one that all replays of these sizes start from.
  const third = run(nonePolicy);
  third.byCategory.forEach((column, category) => {
    expect(column).toBe(first.byCategory[category]);
  });
  expect(third.dropped).toBe(first.dropped);
});

test("policies do not write to columns that replays share", () => {
  fc.assert(
    fc.property(arbitraryDrawing, wildPolicy, (drawing, policy) => {
      const { columns, run } = runner(drawing.replaceAll(/[cr]\d+/g, "u3"));
      const before = run(nonePolicy).byCategory.map((column) => Array.from(column));
      run(policy);
      const { never, nothing, always } = trajectoryOf(columns).blank;
      expect([new Set(never), new Set(nothing), new Set(always)]).toEqual([
        new Set(columns.length > 0 ? [NEVER] : []),
        new Set([0]),
        new Set([1]),
      ]);
      expect(run(nonePolicy).byCategory.map((column) => Array.from(column))).toEqual(before);
    }),
  );
});
