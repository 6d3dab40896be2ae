import { describe, expect, it } from "vitest";
import { EXTRA } from "../columns/columns";
import { LISTED_PRICES } from "../prices/price-list";
import { type DrawnRequest, drawRequests } from "../testing/draw-requests";
import { type RecordedCompactions, recordedBoundaryCosts, sizesAfterCompactions } from "./boundary-cost";
import { cacheMisses } from "./cache-misses";
import { pricedRequests } from "./priced-requests";

function costsOf(drawn: readonly DrawnRequest[], facts: Partial<RecordedCompactions> = {}) {
  const columns = drawRequests(drawn);
  const requests = pricedRequests(columns, LISTED_PRICES);
  const misses = cacheMisses(columns, requests);
  return recordedBoundaryCosts(columns, requests, misses, { summaries: [2000], sharesPrefix: true, ...facts });
}

const BEFORE: DrawnRequest = { read: 100_000, write: 60_000 };
const BEHIND: DrawnRequest = { behind: "compaction", read: 20_000, write: 30_000 };

describe("cost of a recorded compaction", () => {
  it("is the uncached tokens' price above cache reads, plus the summary call", () => {
    // 30,000 × (6.25 − 0.50); 160,000 × 0.50 + 2,000 × 25; then (0.13 + 0.01 + 0.1875 − 0.025) ÷ (0.08 − 0.025).
    expect(costsOf([BEFORE, BEHIND])).toEqual([
      {
        request: 1,
        rewriting: 172_500,
        call: 130_000,
        callIsRecorded: false,
        breakEven: expect.closeTo(0.3025 / 0.055, 9),
      },
    ]);
  });

  it("includes a call at the full price if the call does not begin with the previous context", () => {
    const [cost] = costsOf([BEFORE, BEHIND], { sharesPrefix: false });
    expect(cost?.call).toBe(160_000 * 5 + 50_000);
    expect(cost?.breakEven).toBeCloseTo((0.85 + 0.1725) / 0.055, 9);
  });

  it("includes the price of the recorded call", () => {
    const columns = drawRequests([BEFORE, BEHIND]);
    const drawnCalls = drawRequests([{ read: 160_000, write: 500, output: 2500 }]).requests;
    const none = Int32Array.of(-1);
    const extra = {
      ...drawnCalls,
      ...{ kind: Uint8Array.of(EXTRA.compaction), point: none, boundary: Int32Array.of(0) },
      ...{ furtherPass: new Uint8Array(1), partial: new Uint8Array(1) },
    };
    const calls = pricedRequests({ ...columns, requests: extra }, LISTED_PRICES);
    const requests = pricedRequests(columns, LISTED_PRICES);
    const facts = { summaries: [0], sharesPrefix: undefined, calls };
    const [cost] = recordedBoundaryCosts({ ...columns, extra }, requests, cacheMisses(columns, requests), facts);
    // 160,000 × 0.50 + 500 × 6.25 + 2,500 × 25.
    expect(cost).toMatchObject({ rewriting: 172_500, call: 145_625, callIsRecorded: true });
    expect(cost?.breakEven).toBeCloseTo((0.145625 + 0.1725) / 0.055, 9);
  });

  it("uses the price of one-hour writes, and the rates for each size", () => {
    const [long] = costsOf([BEFORE, { ...BEHIND, write: 0, long: 30_000 }]);
    expect(long).toMatchObject({ rewriting: 285_000, breakEven: expect.closeTo((0.13 + 0.285) / 0.055, 9) });
    const model = "claude-haiku-4-5";
    const dear = "claude-haiku-5-5";
    const cheap =
      costsOf([
        { ...BEFORE, model },
        { ...BEHIND, model },
      ])[0]?.breakEven ?? 0;
    // Above 100,000 tokens every token costs five times as much, so a compaction that leaves that size pays off sooner.
    expect(
      costsOf([
        { ...BEFORE, model: dear },
        { ...BEHIND, model: dear },
      ])[0]?.breakEven,
    ).toBeLessThan(cheap);
  });

  it("has no break-even if the cost of the call is unknown", () => {
    const unknown = { rewriting: 172_500, call: undefined, breakEven: undefined };
    expect(costsOf([BEFORE, BEHIND], { sharesPrefix: undefined })).toMatchObject([unknown]);
    expect(costsOf([BEFORE, BEHIND], { summaries: [0] })).toMatchObject([unknown]);
    expect(costsOf([BEFORE, { ...BEHIND, at: 90 }])).toMatchObject([unknown]);
  });

  it("is unknown if a price, recorded reads, or a request before or after is missing", () => {
    const nothing = { rewriting: undefined, call: undefined, breakEven: undefined };
    const model = "coder-model";
    expect(
      costsOf([
        { ...BEFORE, model },
        { ...BEHIND, model },
      ]),
    ).toMatchObject([nothing]);
    expect(
      costsOf([
        { plain: 160_000, read: null },
        { behind: "compaction", plain: 50_000, read: null },
      ]),
    ).toMatchObject([nothing]);
    expect(costsOf([{ ...BEHIND }])).toMatchObject([nothing]);
  });

  it("belongs to the last of several compactions between two requests, and may be the call alone", () => {
    const between: DrawnRequest = { behind: "compaction", read: null, plain: 0 };
    const all = costsOf([BEFORE, between, BEHIND], { summaries: [2000, 2000] });
    expect(all.map(({ rewriting }) => rewriting)).toEqual([undefined, 172_500]);
    expect(costsOf([BEFORE, { ...BEHIND, read: 160_000, write: 10 }])[0]?.rewriting).toBe(0);
  });

  it("states the context sizes after compactions", () => {
    const columns = drawRequests([
      BEFORE,
      BEHIND,
      { read: 50_000, write: 90_000 },
      { ...BEHIND, plain: 5 },
      { ...BEHIND, at: 9 },
    ]);
    expect(sizesAfterCompactions(columns, pricedRequests(columns, LISTED_PRICES))).toEqual([50_000, 50_005, 50_000]);
  });

  it("never pays off if the context is not smaller", () => {
    expect(costsOf([BEFORE, { ...BEHIND, write: 200_000 }])[0]?.breakEven).toBe(Number.POSITIVE_INFINITY);
  });
});
