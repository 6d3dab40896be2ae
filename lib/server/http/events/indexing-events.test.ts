import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AppServer } from "../../server";
import { indexingEvents } from "./indexing-events";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Number of progress checks within a period. */
async function checksWithin(progress: ReturnType<typeof vi.fn>, ms: number): Promise<number> {
  const before = progress.mock.calls.length;
  await vi.advanceTimersByTimeAsync(ms);
  return progress.mock.calls.length - before;
}

it("the stream checks for changes many times a second after a page opens, later once a second", async () => {
  const progress = vi.fn(async () => ({ done: 1, total: 4, bytesDone: 1, bytesTotal: 4, stopped: false, revision: 1 }));
  const listing = { lookAround: async () => {}, progress };
  const abort = new AbortController();
  const request = new Request("http://localhost/api/indexing", { signal: abort.signal });
  indexingEvents(request, { listing } as unknown as AppServer);
  expect(await checksWithin(progress, 2000)).toBeGreaterThanOrEqual(10);
  await vi.advanceTimersByTimeAsync(2000);
  expect(await checksWithin(progress, 10_000)).toBe(10);
  abort.abort();
  expect(await checksWithin(progress, 10_000)).toBeLessThanOrEqual(1);
});
