import { expect, it } from "vitest";
import type { SweepEvent, SweepRow } from "@/lib/api/contract";
import { partsOf } from "./sweep-events";

function row(at: number): SweepRow {
  const totals = { requests: 9, peak: 100, final: 1, tokensSent: at, summaryCallTokens: 5, tokensRewritten: 7 };
  return {
    ...{ file: "a.jsonl", set: { triggerShare: at / 10_000 }, compactions: 2, keptTokens: 40, pareto: false },
    ...{ counting: "estimate", basis: "estimate", calibration: null },
    totals: { ...totals, costUsd: null, requestsOverWindow: 1 },
  };
}

it.each([0, 1, 249, 250, 251, 10_000])("an event of %i rows is one event, made in parts of a few hundred", (count) => {
  const event: SweepEvent = { type: "rows", session: "a", rows: Array.from({ length: count }, (_, at) => row(at)) };
  const parts = [...partsOf(event)];
  expect(parts.join("")).toBe(`event: rows\ndata: ${JSON.stringify(event)}\n\n`);
  for (const part of parts) expect(part.split('"file":').length - 1).toBeLessThanOrEqual(250);
});

it("every other event is one part", () => {
  const event: SweepEvent = { type: "progress", done: 1, total: 2 };
  expect([...partsOf(event)]).toEqual([`event: progress\ndata: ${JSON.stringify(event)}\n\n`]);
});
