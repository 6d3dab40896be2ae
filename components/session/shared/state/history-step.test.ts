import { describe, expect, it } from "vitest";
import { HistorySteps } from "./use-address";

describe("steps of the history", () => {
  it("has a drag as one step, however long it takes", () => {
    const steps = new HistorySteps();
    steps.press();
    expect([0, 16, 5000, 9000].map((now) => steps.mode("trigger", now))).toEqual([
      "push",
      "replace",
      "replace",
      "replace",
    ]);
    steps.release();
    steps.press();
    expect(steps.mode("trigger", 9100)).toBe("push");
  });

  it("has a held key as one step, and what comes after a pause as another", () => {
    const steps = new HistorySteps();
    expect([0, 300, 900, 3000].map((now) => steps.mode("item", now))).toEqual(["push", "replace", "replace", "push"]);
  });

  it("keeps different things apart, as well as clicks", () => {
    const steps = new HistorySteps();
    const click = (what: string, now: number) => {
      steps.press();
      steps.release();
      return steps.mode(what, now);
    };
    expect([click("pin", 0), click("pin", 100), steps.mode("tab", 120), steps.mode("pin", 140)]).toEqual([
      "push",
      "push",
      "push",
      "push",
    ]);
  });

  it("keeps what a drag came to apart from the wheel that follows", () => {
    const steps = new HistorySteps();
    steps.press();
    const drag = steps.mode("zoom", 400);
    steps.release();
    expect([drag, steps.mode("zoom", 600), steps.mode("zoom", 900)]).toEqual(["push", "push", "replace"]);
  });

  it("begins a new step after going back", () => {
    const steps = new HistorySteps();
    steps.mode("zoom", 0);
    steps.moved();
    expect(steps.mode("zoom", 10)).toBe("push");
  });
});
