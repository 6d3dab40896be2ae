import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Progress } from "./events";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function started() {
  const told: string[] = [];
  const progress = new Progress();
  progress.start(({ done, total }) => told.push(`${done}/${total}`), new AbortController().signal);
  return { told, progress };
}

it("a value right after the last progress is sent a moment later, even if no other follows", () => {
  const { told, progress } = started();
  progress.at(0, 24);
  progress.at(1, 24);
  progress.at(2, 24);
  expect(told).toEqual(["0/0"]);
  vi.advanceTimersByTime(1000);
  expect(told).toEqual(["0/0", "2/24"]);
  progress.at(3, 24);
  expect(told.at(-1)).toBe("3/24");
});

it("nothing is sent while paused, nor after the end", () => {
  const { told, progress } = started();
  progress.at(1, 2);
  progress.hold();
  vi.advanceTimersByTime(1000);
  expect(told).toEqual(["0/0"]);
  progress.goOn();
  expect(told).toEqual(["0/0", "1/2"]);
  progress.at(2, 2);
  progress.end();
  vi.advanceTimersByTime(1000);
  expect(told).toEqual(["0/0", "1/2"]);
});
