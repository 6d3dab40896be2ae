import { describe, expect, it } from "vitest";
import { HistorySteps } from "./use-address";

describe("steps of the browser history", () => {
  it("are one for a drag, however long it takes", () => {
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

  it("are one for a held key, and another one after a pause", () => {
    const steps = new HistorySteps();
    expect([0, 300, 900, 3000].map((now) => steps.mode("item", now))).toEqual(["push", "replace", "replace", "push"]);
  });

  it("are separate for different parameters, and for clicks", () => {
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

  it("separate a drag from wheel events after it", () => {
    const steps = new HistorySteps();
    steps.press();
    const drag = steps.mode("zoom", 400);
    steps.release();
    expect([drag, steps.mode("zoom", 600), steps.mode("zoom", 900)]).toEqual(["push", "push", "replace"]);
  });

  it("start over after the user went back", () => {
    const steps = new HistorySteps();
    steps.mode("zoom", 0);
    steps.moved();
    expect(steps.mode("zoom", 10)).toBe("push");
  });
});
