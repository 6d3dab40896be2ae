import { describe, expect, it } from "vitest";
import type { Basis } from "@/lib/core/compaction/counting";
import type { Metrics } from "@/lib/core/metrics/values";
import { changeShare, resultRows, whyNoChange } from "./results";

const metrics: Metrics = {
  requests: 3,
  compactions: 0,
  peak: 100,
  final: 90,
  tokensSent: 200,
  tokensRewritten: 5,
  summaryCallTokens: 0,
  costUsd: 2.5,
  keptTokens: 90,
  requestsNearWindow: 1,
  requestsOverWindow: 1,
  regret: null,
  bestUsd: null,
  neededAgain: 4,
  neededAgainTokens: 800,
  shortestCycle: null,
  idleCompactions: null,
  unusedIdle: null,
  keepAliveRequests: null,
  keepAliveUsd: null,
};

/** One side of the comparison, with defaults. */
const side = {
  bands: {},
  metrics,
  compactions: [],
  basis: "recorded" as Basis,
  isRecording: false,
  uncachedByReads: false,
};

/** A side with these boundaries. */
function sideOf<Compactions extends readonly object[]>(compactions: Compactions, more: Partial<Metrics> = {}) {
  return { ...side, compactions, metrics: { ...metrics, compactions: compactions.length, ...more } };
}

/** The recording's side: the tokens sent for its summaries are unknown. */
const recording = { ...side, isRecording: true, metrics: { ...metrics, summaryCallTokens: null } };

const summary = { outcome: "summary", thrash: false } as const;

describe("result rows", () => {
  it("state how many boundaries are compactions, unless all are", () => {
    const clears = sideOf([summary, { outcome: "clear", thrash: true }, { outcome: "failed", thrash: true }] as const);
    const rows = resultRows(sideOf([summary]), clears);
    expect(rows.slice(0, 2).map((row) => [row.id, row.recorded, row.simulated])).toEqual([
      ["compactions", 1, 3],
      ["ofThemCompactions", 1, 1],
    ]);
  });

  it("state how many compactions thrash, without counting frequent clearings", () => {
    const thrashing = { ...summary, thrash: true };
    const rows = resultRows(sideOf([summary]), sideOf([thrashing, summary, thrashing]));
    expect(rows[1]).toEqual({ id: "thrash", unit: "count", recorded: null, simulated: 2, change: "number" });
  });

  it("state actions in pauses only if the run has any", () => {
    const acting = { idleCompactions: 3, unusedIdle: 1, keepAliveRequests: 12, keepAliveUsd: 0.4 };
    const ids = Object.keys(acting);
    const rowsOf = (more: Partial<Metrics>) =>
      resultRows(sideOf([summary]), sideOf([summary], more)).filter(({ id }) => ids.includes(id));
    expect(rowsOf({})).toEqual([]);
    expect(rowsOf(acting).map(({ id, unit, recorded, simulated }) => [id, unit, recorded, simulated])).toEqual([
      ["idleCompactions", "count", null, 3],
      ["unusedIdle", "count", null, 1],
      ["keepAliveRequests", "count", null, 12],
      ["keepAliveUsd", "dollars", null, 0.4],
    ]);
  });

  it("contain the metrics of the recording and of the replay", () => {
    const rows = resultRows(
      sideOf([summary, summary], { summaryCallTokens: null }),
      sideOf([summary], { peak: 80, tokensSent: 150, tokensRewritten: 60, summaryCallTokens: 99, regret: 0.1 }),
    );
    expect(rows.map((row) => [row.id, row.recorded, row.simulated])).toEqual([
      ["compactions", 2, 1],
      ["peak", 100, 80],
      ["tokensSent", 200, 150],
      ["tokensRewritten", 5, 60],
      ["summaryCallTokens", null, 99],
      ["requestsOverWindow", 1, 1],
      ["costUsd", 2.5, 2.5],
      ["regret", null, 0.1],
      ["neededAgain", 4, 4],
      ["neededAgainTokens", 800, 800],
    ]);
    expect(rows[2] && changeShare(rows[2])).toBe(-0.25);
  });

  it("contain no summary calls of the recording, on either side", () => {
    const [replayed, itself] = [side, recording].map((other) =>
      resultRows(recording, other).find(({ id }) => id === "summaryCallTokens"),
    );
    expect(replayed).toMatchObject({ recorded: null, simulated: 0 });
    expect(itself).toMatchObject({ recorded: null, simulated: null });
    expect(itself && changeShare(itself)).toBeNull();
  });

  it("contain no difference to an estimate that is not fitted to recorded usage", () => {
    const changes = (basis: Basis) => resultRows(side, { ...side, basis }).map(({ change }) => change);
    const why = (basis: Basis) => whyNoChange(side, { ...side, basis });
    expect([why("recorded"), why("calibrated"), why("estimate")]).toEqual([undefined, undefined, "otherBasis"]);
    expect(new Set(changes("estimate"))).toEqual(new Set(["none"]));
    expect(changes("calibrated")).toEqual(changes("recorded"));
    expect(changes("calibrated")).not.toContain("none");
  });

  it("contain no difference between uncached tokens by usage and by comparing contexts", () => {
    const recorded = { ...recording, uncachedByReads: true };
    const unlike = (other: typeof side) =>
      resultRows(recorded, other).flatMap(({ id, change }) => (change === "none" ? [id] : []));
    expect([unlike(side), whyNoChange(recorded, side)]).toEqual([["tokensRewritten"], "rewrittenApart"]);
    expect([unlike(recorded), whyNoChange(recorded, recorded)]).toEqual([[], undefined]);
  });

  it("contain no percentage of zero", () => {
    const rows = resultRows({ ...recording, metrics: { ...recording.metrics, tokensSent: 0 } }, side);
    const shares = rows.map((row) => [row.id, changeShare(row)]);
    expect(shares).toEqual(
      expect.arrayContaining([
        ["tokensSent", null],
        ["summaryCallTokens", null],
      ]),
    );
  });
});
