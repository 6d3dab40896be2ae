import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Steps } from "@/lib/core/base/steps";
import { NewestResult } from "./newest-result";

/** Work in steps of 5 ms, which returns its name. Two steps fit into a frame. */
interface Job {
  readonly name: string;
  readonly steps: number;
  /** A result may stay visible only for jobs with the same value. */
  readonly isApart?: boolean;
  readonly fails?: boolean;
}

const begun: string[] = [];

function* work({ name, steps, fails }: Job): Steps<string> {
  begun.push(name);
  for (let step = 0; step < steps; step++) {
    vi.setSystemTime(Date.now() + 5);
    yield;
  }
  if (fails) throw new Error(`${name} failed`);
  return name;
}

const mayStandFor = (earlier: Job, job: Job) => earlier.isApart === job.isApart;
const started = (first: Job) => new NewestResult(first, work, mayStandFor);

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(performance, "now").mockImplementation(() => Date.now());
  begun.length = 0;
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("a result that takes a few milliseconds is available at once, like the first one", () => {
  const first = { name: "first", steps: 100 };
  const newest = started(first);
  expect(newest.of(first)).toBe("first");
  expect(newest.of({ name: "short", steps: 1 })).toBe("short");
  expect(vi.getTimerCount()).toBe(0);
});

test("longer work continues between frames, and the previous result stays visible", () => {
  const newest = started({ name: "first", steps: 0 });
  const long = { name: "long", steps: 9 };
  const changed = vi.fn();
  expect(newest.of(long)).toBe("first");
  newest.goOn(changed);
  vi.runOnlyPendingTimers();
  expect(newest.of(long)).toBe("first");
  vi.runAllTimers();
  expect(changed).toHaveBeenCalledTimes(1);
  expect(newest.of(long)).toBe("long");
  expect(begun).toEqual(["first", "long"]);
});

test("of several inputs that arrive during the work, only the newest is processed next", () => {
  const newest = started({ name: "first", steps: 0 });
  const shown: string[] = [];
  let asked: Job = { name: "first", steps: 0 };
  const ask = (job: Job) => {
    asked = job;
    return newest.of(job);
  };
  ask({ name: "long", steps: 9 });
  newest.goOn(() => shown.push(newest.of(asked)));
  for (let index = 0; index < 5; index++) expect(ask({ name: `later ${index}`, steps: 9 })).toBe("first");
  vi.runAllTimers();
  expect(begun).toEqual(["first", "long", "later 4"]);
  expect(shown).toEqual(["long", "later 4"]);
});

test("if the previous result is not usable, the work runs at once and replaces the running work", () => {
  const newest = started({ name: "first", steps: 0 });
  const changed = vi.fn();
  newest.of({ name: "long", steps: 9 });
  newest.goOn(changed);
  const apart = { name: "apart", steps: 100, isApart: true };
  expect(newest.of(apart)).toBe("apart");
  vi.runAllTimers();
  expect(changed).not.toHaveBeenCalled();
  expect(newest.of(apart)).toBe("apart");
});

test("an error during the work is thrown to the reader of its result", () => {
  const newest = started({ name: "first", steps: 0 });
  const long = { name: "long", steps: 9, fails: true };
  expect(newest.of(long)).toBe("first");
  newest.goOn(() => {});
  vi.runAllTimers();
  expect(() => newest.of(long)).toThrow("long failed");
  expect(newest.of({ name: "short", steps: 0 })).toBe("short");
});

test("discarded work does not continue", () => {
  const newest = started({ name: "first", steps: 0 });
  const changed = vi.fn();
  newest.of({ name: "long", steps: 9 });
  newest.goOn(changed);
  newest.rest();
  vi.runAllTimers();
  expect(changed).not.toHaveBeenCalled();
});
