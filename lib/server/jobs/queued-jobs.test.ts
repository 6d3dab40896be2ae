import { getEventListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import type { JobQueue, JobStatus } from "./job-queue";
import { packedOutcome } from "./packed-result";
import { QueuedJobs } from "./queued-jobs";

it("a caller that has its result does not cancel the job of a later caller", async () => {
  const packed = await packedOutcome(async () => "done");
  const cancel = vi.fn(async () => undefined);
  const queue = {
    add: async () => "id",
    requeueLost: async () => undefined,
    statuses: async (_: unknown, ids: readonly string[]) =>
      ids.map((id): JobStatus => ({ id, state: "completed", output: packed })),
    cancel,
  } as unknown as JobQueue;
  const jobs = new QueuedJobs(queue);
  const first = new AbortController();
  const task = { path: "/a" } as never;
  await jobs.run("replays", task, first.signal);
  expect(getEventListeners(first.signal, "abort")).toEqual([]);
  const second = jobs.run("replays", task, new AbortController().signal);
  await delay(20);
  first.abort();
  const got = await Promise.race([second.then(() => "answered"), delay(1500, "never answered")]);
  expect(got).toBe("answered");
  expect(cancel).not.toHaveBeenCalled();
});
