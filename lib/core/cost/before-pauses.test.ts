import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LISTED_PRICES } from "../prices/price-list";
import { arbitraryRequests } from "../testing/arbitrary-requests";
import { type DrawnRequest, drawRequests } from "../testing/draw-requests";
import { type AssumedCompaction, compactedBeforePauses } from "./before-pauses";
import { pricedRequests } from "./priced-requests";

const LEFT: AssumedCompaction = { left: 40_000, summary: 2000, sharesPrefix: true };

function found(drawn: readonly DrawnRequest[], compaction: Partial<AssumedCompaction> = {}) {
  const columns = drawRequests(drawn);
  return compactedBeforePauses(columns, pricedRequests(columns, LISTED_PRICES), { ...LEFT, ...compaction });
}

/** 140,000 tokens, a pause of half an hour, and two requests after it. */
const PAUSED: readonly DrawnRequest[] = [
  { write: 140_000 },
  { at: 30, write: 141_000 },
  { at: 31, read: 141_000, write: 1000 },
];

describe("compacting before every pause", () => {
  it("saves the writes of removed tokens after the pause, and their later reads, minus the call", () => {
    // 100,000 × 6.25; 100,000 × 0.50; 140,000 × 0.50 + 2,000 × 25.
    expect(found(PAUSED)).toEqual({
      pauses: 1,
      compactions: 1,
      afterPauses: 625_000,
      later: 50_000,
      calls: 120_000,
      saved: 555_000,
    });
  });

  it("pays the full price for a summary call that shares no prefix", () => {
    expect(found(PAUSED, { sharesPrefix: false })?.calls).toBe(140_000 * 5 + 50_000);
  });

  it("changes nothing before a pause shorter than the TTL, or if a compaction saves no tokens", () => {
    const none = { compactions: 0, afterPauses: 0, later: 0, calls: 0, saved: 0 };
    expect(found([{ write: 140_000 }, { at: 5, read: 140_000 }])).toEqual({ pauses: 0, ...none });
    expect(found(PAUSED, { left: 150_000 })).toEqual({ pauses: 1, ...none });
  });

  it("saves nothing after a recorded compaction, and adds no compaction right before it", () => {
    const behind: DrawnRequest = { at: 32, behind: "compaction", read: 20_000, write: 20_000 };
    expect(found([...PAUSED, behind, { at: 33, read: 40_000 }])).toEqual(found(PAUSED));
    expect(found([{ write: 140_000 }, { ...behind, at: 60 }])).toMatchObject({ pauses: 0, saved: 0 });
  });

  it("compacts again from the smaller context", () => {
    const again = [...PAUSED, { at: 90, write: 160_000 }];
    // The second call reads 142,000 − 100,000; the last request then sends 102,000 less.
    expect(found(again)).toMatchObject({
      compactions: 2,
      afterPauses: 625_000 + 102_000 * 6.25,
      calls: 120_000 + 42_000 * 0.5 + 50_000,
    });
  });

  it("uses the rates for the smaller context", () => {
    const model = "gpt-5.5";
    const drawn = [
      { model, plain: 300_000 },
      { model, at: 20, plain: 300_000 },
    ];
    // 300,000 at $10 less 40,000 at $5; the call also has the double price of its size: 300,000 × 1 + 2,000 × 45.
    expect(found(drawn)).toMatchObject({ afterPauses: 2_800_000, calls: 390_000 });
  });

  it("is unknown if a request has no price", () => {
    expect(found([...PAUSED, { at: 40, model: "coder-model", plain: 5 }])).toBeUndefined();
    expect(found([])).toBeUndefined();
  });

  it("saves the sum of its parts, and nothing in requests that do not get smaller", () => {
    fc.assert(
      fc.property(arbitraryRequests, fc.nat(300_000), (drawn, left) => {
        const sums = found(drawn, { left });
        if (sums === undefined) return;
        expect(sums.saved).toBe(sums.afterPauses + sums.later - sums.calls);
        expect(sums.afterPauses).toBeGreaterThanOrEqual(0);
        expect(sums.later).toBeGreaterThanOrEqual(0);
        expect(sums.compactions).toBeLessThanOrEqual(sums.pauses);
      }),
    );
  });
});
