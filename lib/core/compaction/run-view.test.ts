import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SessionColumns } from "../columns/columns";
import { countedBySize, sizeTokenColumn } from "../columns/token-columns";
import { drawColumns } from "../testing/draw";
import { addedItem, listeningPolicy, policyOf } from "../testing/policies";
import type { ContextView, Policy, Retention } from "./policy/policy";
import { type CountingMode, replay } from "./replay";
import { clearing, unchanged } from "./retention";

/** Nine requests whose recorded contexts grow by three tokens for each estimated token, so that the session can be calibrated. */
const CALIBRATED = Array.from({ length: 9 }, (_, index) => `u10 a10 @${100 + 60 * index}`).join(" ");
const NOTHING = policyOf(() => undefined);

/** Collects a value of the policy's view before every request. */
function seen<T>(
  columns: SessionColumns,
  look: (view: ContextView) => T,
  counting: CountingMode = "anchored",
  policy: Policy = NOTHING,
): T[] {
  const views: T[] = [];
  const watched = listeningPolicy(policy, { asked: (view) => views.push(look(view)) });
  const settings = { entryTruncation: policy.entryRule !== undefined };
  replay(countedBySize(columns, "bytes-4"), watched, settings, { window: 1000, counting });
  return views;
}

/** Policy that acts before one request. */
function at(request: number, retention: (view: ContextView) => Retention): Policy {
  return policyOf((view) => (view.request === request ? { ...retention(view), trigger: "threshold" } : undefined));
}

describe("the recorded output", () => {
  const drawn = drawColumns("u10 a5 @100 u10 a6 @150 u10 a7 @200 u10 a8 @250");
  const columns = { ...drawn, requests: { ...drawn.requests, output: Int32Array.of(40, 0, -1, 60) } };
  const outputs = (counting?: CountingMode, policy?: Policy) =>
    seen(columns, ({ recordedOutput }) => recordedOutput, counting, policy);

  it("is that of the previous request, if it is recorded", () => {
    expect(outputs()).toEqual([undefined, 40, 0, undefined]);
  });

  it("is absent if the replay does not follow the recording, or no longer does", () => {
    expect(outputs("estimate")).toEqual([undefined, undefined, undefined, undefined]);
    const departs = at(1, (view) => clearing(view, [[view.items.at(0), 1]]));
    expect(outputs("anchored", departs)).toEqual([undefined, 40, undefined, undefined]);
  });
});

describe("an item's count", () => {
  const counts = (counting: CountingMode, policy?: Policy) =>
    seen(
      drawColumns(CALIBRATED),
      (view) => Array.from(view.items.list(), (item) => [view.countOf(item), view.tokensOf(item)] as const),
      counting,
      policy,
    ).at(-1) ?? [];

  it("is the unscaled estimate although its size is scaled to the recorded usage", () => {
    const items = counts("calibrated");
    expect(items).toHaveLength(17);
    for (const item of items) expect(item).toEqual([10, 30]);
    for (const item of counts("estimate")) expect(item).toEqual([10, 10]);
  });

  it("sums over the items after the last response to the count that the policy gets", () => {
    const added = (counting: CountingMode) =>
      seen(drawColumns(CALIBRATED), ({ added, addedCount }) => [added, addedCount], counting).slice(-2);
    expect(added("calibrated")).toEqual([
      [30, 10],
      [30, 10],
    ]);
    expect(added("estimate")).toEqual([
      [10, 10],
      [10, 10],
    ]);
  });

  it("is the estimate after the entry rule", () => {
    const entryRule: Policy["entryRule"] = { settings: [], tokens: (_plan, _item, tokens) => Math.min(tokens, 7) };
    for (const item of counts("calibrated", { ...NOTHING, entryRule })) expect(item).toEqual([7, 7]);
  });

  it("shrinks in proportion with the item", () => {
    const [first, second] = counts(
      "calibrated",
      at(7, (view) => clearing(view, [[view.items.at(0), 15]])),
    );
    expect([first, second]).toEqual([
      [5, 15],
      [10, 30],
    ]);
  });

  it("equals the size for items that a compaction added", () => {
    const added = [addedItem(8)];
    const [first] = counts(
      "calibrated",
      at(7, (view) => ({
        ...unchanged(view, "skipped"),
        outcome: "summary",
        kept: [],
        added,
        summaryTokens: 8,
        summaryCallTokens: 1,
      })),
    );
    expect(first).toEqual([8, 8]);
  });

  it("is the estimate for items that entered unchanged, under any calibration", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(50), fc.nat(50)), { minLength: 9, maxLength: 20 }), (pairs) => {
        const drawing = pairs.map(([typed, answered], index) => `u${typed} a${answered} @${50 + index * 37}`).join(" ");
        const columns = drawColumns(drawing);
        const tokens = sizeTokenColumn(columns, "bytes-4");
        const off = seen(columns, (view) =>
          Array.from(view.items.list()).filter((item) => view.countOf(item) !== tokens[item]),
        );
        expect(off.flat()).toEqual([]);
      }),
    );
  });
});
