import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AppServer } from "../../server";
import { sessionEvents } from "./session-events";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("the stream stops checking the file when the client leaves, even during a check", async () => {
  const entry = { id: "some", kind: "file", version: { bytes: 1, mtimeMs: 0 } };
  const get = vi.fn(async () => entry);
  const server = { catalog: { get }, listing: { indexing: () => ({ done: 1, total: 1 }) } } as unknown as AppServer;
  const response = await sessionEvents(new Request("http://localhost/api/sessions/some/events"), server, "some");
  await response.body?.cancel();
  await vi.advanceTimersByTimeAsync(10_000);
  // Once to find the session, once for the check that was running.
  expect(get.mock.calls.length).toBe(2);
});
