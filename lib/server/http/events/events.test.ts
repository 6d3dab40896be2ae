import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Progress } from "./events";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function started() {
  const sent: string[] = [];
  const progress = new Progress();
  progress.start(({ done, total }) => sent.push(`${done}/${total}`), new AbortController().signal);
  return { sent, progress };
}

it("progress within the throttling interval is sent when the interval ends", () => {
  const { sent, progress } = started();
  progress.at(0, 24);
  progress.at(1, 24);
  progress.at(2, 24);
  expect(sent).toEqual(["0/0"]);
  vi.advanceTimersByTime(1000);
  expect(sent).toEqual(["0/0", "2/24"]);
  progress.at(3, 24);
  expect(sent.at(-1)).toBe("3/24");
});

it("no progress is sent while paused or after the end", () => {
  const { sent, progress } = started();
  progress.at(1, 2);
  progress.hold();
  vi.advanceTimersByTime(1000);
  expect(sent).toEqual(["0/0"]);
  progress.goOn();
  expect(sent).toEqual(["0/0", "1/2"]);
  progress.at(2, 2);
  progress.end();
  vi.advanceTimersByTime(1000);
  expect(sent).toEqual(["0/0", "1/2"]);
});
