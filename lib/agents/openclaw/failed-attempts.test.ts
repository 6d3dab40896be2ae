import { describe, expect, it } from "vitest";
import { failedAttempts } from "./failed-attempts";

const base = { turnPrefix: [], window: 100_000, maxHistoryShare: 0.5, tokensBefore: 0, previousSummary: 0 };

describe("a summary whose calls all fail", () => {
  it("is tried three times, and given up", () => {
    expect(failedAttempts({ ...base, history: [[100], [200]] })).toEqual({ calls: 3, tokens: 900 });
  });

  it("is given up behind the first chunk of the older half", () => {
    // Calls take 40,000 less 4,096, with a margin of 1.2: 29,920 each.
    const history = Array.from({ length: 10 }, () => [8000]);
    expect(failedAttempts({ ...base, history })).toEqual({ calls: 3, tokens: 3 * 24_000 });
  });

  it("is tried three times more without what is oversized, where anything is left", () => {
    const history = [[10], [60_000], [20]];
    expect(failedAttempts({ ...base, window: 130_000, history })).toEqual({ calls: 6, tokens: 3 * (10 + 30) });
    expect(failedAttempts({ ...base, window: 130_000, history: [[60_000]] })).toEqual({ calls: 3, tokens: 180_000 });
  });

  it("leaves out an oversized result with its call", () => {
    const history = [[20, 60_000], [30]];
    // The call and its result are a chunk of their own; then the prompt behind them is all that is left.
    expect(failedAttempts({ ...base, window: 130_000, history })).toEqual({ calls: 6, tokens: 3 * (60_020 + 30) });
  });

  it("begins with what is summarised apart, then with the history, then with the turn", () => {
    const much = { ...base, tokensBefore: 200_000, history: [[30_000], [30_000]], turnPrefix: [[7]] };
    expect(failedAttempts(much).tokens).toBe(3 * 30_000);
    expect(failedAttempts({ ...base, history: [[5]], turnPrefix: [[7]], previousSummary: 1 }).tokens).toBe(3 * 6);
    expect(failedAttempts({ ...base, history: [], turnPrefix: [[7]], previousSummary: 1 }).tokens).toBe(3 * 7);
  });
});
