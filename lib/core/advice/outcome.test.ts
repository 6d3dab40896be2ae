import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DatedSession, outcomeOf } from "./outcome";
import { randomOf } from "./recommend";

const PERIOD = { from: 0, at: 1000, until: 2000 };

/** Sessions of one project and model, each of ten requests, ending before or beginning after the date. */
function sessions(when: "before" | "after", values: readonly number[], project = "shop", model = "m"): DatedSession[] {
  const firstAt = when === "before" ? 100 : 1000;
  return values.map((value) => ({ project, model, firstAt, lastAt: firstAt + 50, requests: 10, value }));
}

describe("an outcome", () => {
  it("is the saved share per request, compared within project and models", () => {
    const cheap = [1, 1, 1, 1, 2, 2, 2, 2];
    const found = outcomeOf(
      [
        ...sessions("before", cheap),
        ...sessions("before", [50, 70], "bank"),
        // The bank's sessions cost the same as before; only there are more of them.
        ...sessions("after", [60, 60, 60, 60, 60, 60], "bank"),
        ...sessions("after", [0.75, 0.75]),
      ],
      PERIOD,
      1,
    );
    // Before: 60 requests × $6 and 20 × $0.15. After: $360 and $1.50.
    expect(found.before).toEqual({ sessions: 10, requests: 100, perRequest: (360 + 3) / 80 });
    expect(found.after).toEqual({ sessions: 8, requests: 80, perRequest: (360 + 1.5) / 80 });
    expect(found.saving?.estimate).toBeCloseTo(1.5 / 363, 12);
  });

  it("is stated only with eight matched sessions on each side", () => {
    const few = outcomeOf([...sessions("before", Array(9).fill(1)), ...sessions("after", [1, 1, 1])], PERIOD, 1);
    expect([few.after.sessions, few.needed, few.saving]).toEqual([3, 8, null]);
    const none = outcomeOf(sessions("before", Array(9).fill(1)), PERIOD, 1);
    expect(none).toMatchObject({ before: { sessions: 0, perRequest: null }, unmatched: 9, saving: null });
    const enough = outcomeOf(
      [...sessions("before", Array(8).fill(1)), ...sessions("after", Array(8).fill(1))],
      PERIOD,
      1,
    );
    expect(enough.saving).toEqual({ estimate: 0, low: 0, high: 0 });
  });

  it("leaves out other models, projects and times, and sessions that span the change", () => {
    const eight = Array<number>(8).fill(1);
    const found = outcomeOf(
      [
        ...sessions("before", eight),
        ...sessions("after", eight),
        ...sessions("after", [9, 9], "shop", "other"),
        ...sessions("before", [9], "old"),
        { project: "shop", model: "m", firstAt: 900, lastAt: 1100, requests: 10, value: 9 },
        { project: "shop", model: "m", firstAt: 1900, lastAt: 2100, requests: 10, value: 9 },
        { project: "shop", model: "m", firstAt: -5, lastAt: 10, requests: 10, value: 9 },
      ],
      PERIOD,
      1,
    );
    expect(found).toMatchObject({ before: { sessions: 8 }, after: { sessions: 8 }, unmatched: 3, across: 1 });
    expect(found.saving?.estimate).toBe(0);
  });

  it("has an interval that contains 0 if the sessions before and after are the same", () => {
    const value = fc.double({ min: 0, max: 1000, noNaN: true });
    const one = fc.record({
      value,
      requests: fc.integer({ min: 1, max: 400 }),
      project: fc.constantFrom("a", "b", "c"),
    });
    fc.assert(
      fc.property(fc.array(one, { minLength: 8, maxLength: 30 }), fc.nat(), (some, seed) => {
        const at = (firstAt: number) => some.map((row) => ({ ...row, model: "m", firstAt, lastAt: firstAt + 1 }));
        const { saving, before } = outcomeOf([...at(10), ...at(1500)], PERIOD, seed);
        if (before.perRequest === 0) return expect(saving).toBeNull();
        expect(saving?.low).toBeLessThanOrEqual(0);
        expect(saving?.high).toBeGreaterThanOrEqual(0);
        expect(saving?.estimate).toBeCloseTo(0, 9);
      }),
      { numRuns: 60 },
    );
  });

  it("has an interval that contains the planted saving, or 0 without one, in at least 90 of 100 cases", () => {
    const holding = (saved: number) =>
      Array.from({ length: 100 }, (_, seed) => {
        const random = randomOf(seed + 1);
        const drawn = (firstAt: number, factor: number) =>
          Array.from({ length: 30 }, (_one, index): DatedSession => {
            const requests = 20 + Math.floor(60 * random());
            const value = requests * factor * (0.5 + random());
            return { project: String(index % 6), model: "m", firstAt, lastAt: firstAt + 1, requests, value };
          });
        const { saving } = outcomeOf([...drawn(10, 1), ...drawn(1500, 1 - saved)], PERIOD, seed);
        return saving !== null && saving.low <= saved && saved <= saving.high;
      }).filter(Boolean).length;
    expect(holding(0)).toBeGreaterThanOrEqual(90);
    expect(holding(0.3)).toBeGreaterThanOrEqual(90);
  });
});
