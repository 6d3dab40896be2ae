import { describe, expect, it } from "vitest";
import type { Tokens } from "@/lib/core/base/units";
import { failedAttempts } from "./failed-attempts";

/** Groups of messages of these sizes: of a call and its results, or of one message. */
const groups = (...sizes: readonly (readonly Tokens[])[]) =>
  sizes.map((group) => group.map((tokens) => ({ tokens, isExchange: group.length > 1 })));

const base = { turnPrefix: [], window: 100_000, maxHistoryShare: 0.5, tokensBefore: 0, previousSummary: 0 };

describe("a summary whose calls all fail", () => {
  it("is tried three times, and given up", () => {
    expect(failedAttempts({ ...base, history: groups([100], [200]) })).toEqual({ calls: 3, tokens: 900 });
  });

  it("is given up behind the first chunk of the older half", () => {
    // Calls take 40,000 less 4,096, with a margin of 1.2: 29,920 each.
    const history = groups(...Array.from({ length: 10 }, () => [8000]));
    expect(failedAttempts({ ...base, history })).toEqual({ calls: 3, tokens: 3 * 24_000 });
  });

  it("is tried three times more without what is oversized, where anything is left", () => {
    const history = groups([10], [60_000], [20]);
    expect(failedAttempts({ ...base, window: 130_000, history })).toEqual({ calls: 6, tokens: 3 * (10 + 30) });
    expect(failedAttempts({ ...base, window: 130_000, history: groups([60_000]) })).toEqual({
      calls: 3,
      tokens: 180_000,
    });
  });

  it("leaves out an oversized result with its call", () => {
    const history = groups([20, 60_000], [30]);
    // The call and its result are a chunk of their own; then the prompt behind them is all that is left.
    expect(failedAttempts({ ...base, window: 130_000, history })).toEqual({ calls: 6, tokens: 3 * (60_020 + 30) });
  });

  it("keeps what stands beside an oversized message in its group", () => {
    const exchange = (tokens: Tokens) => ({ tokens, isExchange: true });
    const given = { ...base, window: 130_000 };
    const between = [[exchange(20), { tokens: 30 }, exchange(60_000)]];
    expect(failedAttempts({ ...given, history: between })).toEqual({ calls: 6, tokens: 3 * (60_050 + 30) });
    const large = [[exchange(20), { tokens: 60_000 }, exchange(40)]];
    expect(failedAttempts({ ...given, history: large })).toEqual({ calls: 6, tokens: 3 * (60_060 + 60) });
  });

  it("begins with what is summarised apart, then with the history, then with the turn", () => {
    const much = { ...base, tokensBefore: 200_000, history: groups([30_000], [30_000]), turnPrefix: groups([7]) };
    expect(failedAttempts(much).tokens).toBe(3 * 30_000);
    expect(failedAttempts({ ...base, history: groups([5]), turnPrefix: groups([7]), previousSummary: 1 }).tokens).toBe(
      3 * 6,
    );
    expect(failedAttempts({ ...base, history: [], turnPrefix: groups([7]), previousSummary: 1 }).tokens).toBe(3 * 7);
  });

  it("takes along the results whose call is summarised apart, and those that have none", () => {
    const result = (tokens: Tokens, callGroup: number) => ({ tokens, callGroup });
    const much = { ...base, window: 54_000, maxHistoryShare: 0.1, tokensBefore: 64_000 };
    // A result without an id closes all calls: those behind it are groups of their own.
    const parted = [[{ tokens: 174 }, result(313, -1)], [result(160, 0)], [result(5525, 0)], [result(1107, 0)]];
    expect(failedAttempts({ ...much, history: parted }).tokens).toBe(3 * (174 + 313 + 160 + 5525 + 1107));
    const late = (callGroup: number) => [
      [{ tokens: 3000 }],
      [{ tokens: 100 }, result(3000, 1)],
      [result(50, callGroup)],
    ];
    expect(failedAttempts({ ...much, history: late(1) }).tokens).toBe(3 * 3000);
    expect(failedAttempts({ ...much, history: late(0) }).tokens).toBe(3 * 3050);
    expect(failedAttempts({ ...much, history: late(-1) }).tokens).toBe(3 * 3050);
  });
});
