import { expect, test } from "vitest";
import { sizeTokenColumn } from "../../columns/token-columns";
import { drawColumns } from "../../testing/draw";
import { CompactionLog } from "./compaction-log";
import { SimulatedContext } from "./simulated-context";
import { trajectoryOf } from "./trajectory";

const RETENTION = {
  kept: [[1, 3]],
  truncated: [],
  cleared: [],
  added: [],
  addedAt: "front",
  outcome: "summary",
  summaryTokens: 5,
} as const;

test("the log returns the same list of compactions until one is added", () => {
  const columns = drawColumns("u10 a20 u5 a1");
  const log = new CompactionLog(
    new SimulatedContext(columns, trajectoryOf(columns), sizeTokenColumn(columns, "bytes-4")),
  );
  expect(log.list()).toEqual([]);
  const put = (request: number) =>
    log.put(
      {
        ...RETENTION,
        trigger: request % 2 === 0 ? "threshold" : "overflow",
        outcome: request % 3 === 0 ? "fallback" : "summary",
        summaryCallTokens: request,
      },
      { request, tokens: 1e10 + request, counted: 1e10 + request, items: 4 },
      { tokens: 7, uncached: request, thrash: request % 5 === 0 },
    );
  for (let request = 0; request < 40; request++) put(request);
  expect([log.length, log.summaryCallTokens]).toEqual([40, (39 * 40) / 2]);
  expect(log.list()).toMatchObject(
    Array.from({ length: 40 }, (_, request) => ({
      request,
      trigger: request % 2 === 0 ? "threshold" : "overflow",
      outcome: request % 3 === 0 ? "fallback" : "summary",
      tokensBefore: 1e10 + request,
      tokensAfter: 7,
      uncached: request,
      keptItems: 2,
      droppedItems: 2,
      thrash: request % 5 === 0,
      summaryCallTokens: request,
    })),
  );
  expect(log.list()).toBe(log.list());
  const before = log.list();
  put(40);
  expect(log.list()).not.toBe(before);
  expect(log.list()).toHaveLength(41);
});
