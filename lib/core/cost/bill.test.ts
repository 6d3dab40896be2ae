import { expect, it } from "vitest";
import { columnsFromTranscript } from "../columns/from-transcript";
import { LISTED_PRICES } from "../prices/price-list";
import { TranscriptBuilder } from "../transcript/builder";
import type { ExtraRequest, RequestPoint } from "../transcript/model";
import { billOf } from "./bill";
import { recordedCost, totalOf } from "./recorded-cost";

/** Its input costs $3 per million tokens. */
const MODEL = "claude-sonnet-4-5";
const usage = (thousands: number) => ({ input: thousands * 1000, cacheWrite: 0, output: 0 });

function bill(requests: readonly Partial<RequestPoint>[], extra: readonly Omit<ExtraRequest, "line">[]) {
  const builder = new TranscriptBuilder({ keepChars: 0, byteLength: (text) => text.length });
  for (const request of requests) builder.request({ message: 0, line: 1, model: MODEL, ...request });
  builder.boundary({ kind: "compaction", line: 2, trigger: "auto", message: 0, kept: [], clearedCalls: [] });
  for (const request of extra) builder.extraRequest({ model: MODEL, line: 3, ...request });
  const parts = billOf(columnsFromTranscript(builder.finish("drawn", null)), LISTED_PRICES);
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => {
      const { cost } = recordedCost(part.priced);
      return [name, [part.requests, part.usage.input, cost && totalOf(cost)]];
    }),
  );
}

it("the bill puts every request into one class, and sums only the requests that the session paid for", () => {
  const parts = bill(
    [{ usage: usage(100), inherited: true }, { usage: usage(10) }, { usage: usage(20) }],
    [
      { kind: "pass", point: 1, usage: usage(5), model: "claude-opus-4-5" },
      { kind: "pass", point: 0, usage: usage(7) },
      { kind: "branch", usage: usage(30) },
      { kind: "branch", furtherPass: true, usage: usage(1) },
      { kind: "branch", inherited: true, usage: usage(3) },
      { kind: "compaction", boundary: 0, usage: usage(40) },
      { kind: "subagent", usage: usage(50) },
    ],
  );
  expect(parts).toEqual({
    own: [2, 35_000, 10 * 3000 + 20 * 3000 + 5 * 5000],
    passes: [1, 5000, 25_000],
    inherited: [2, 110_000, 330_000],
    branches: [1, 31_000, 93_000],
    compactions: [1, 40_000, 120_000],
    subagents: [1, 50_000, 150_000],
    billed: [4, 106_000, 30_000 + 60_000 + 25_000 + 93_000 + 120_000],
  });
});

it("the bill has no part for a class without requests, or whose requests have no usage", () => {
  expect(bill([{}], [{ kind: "branch" }])).toEqual({});
});
