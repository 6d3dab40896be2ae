import { expect, it } from "vitest";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { drawColumns } from "@/lib/core/testing/draw";
import { type DrawnRequest, drawRequests } from "@/lib/core/testing/draw-requests";
import type { SessionSummary } from "@/lib/queries/contract/schemas";
import { emptySummary } from "../../testing/listed-rows";
import { indexedEvidence } from "./evidence";

function evidenceOf(
  columns: SessionColumns,
  summary: Partial<SessionSummary> = {},
  commands?: ReadonlyMap<number, string>,
) {
  const tokens = sizeTokenColumn(columns, "bytes-4");
  return indexedEvidence({ summary: { ...emptySummary(), ...summary }, columns, tokens, commands }, LISTED_PRICES);
}

/** Tools and files by row. */
function named(columns: SessionColumns, names: Readonly<Record<number, readonly [tool: string, file: string]>>) {
  const [tool, file] = [new Int32Array(columns.length).fill(-1), new Int32Array(columns.length).fill(-1)];
  const [tools, files] = [new Set<string>(), new Set<string>()];
  for (const [row, [one, other]] of Object.entries(names)) {
    tool[Number(row)] = [...tools.add(one)].indexOf(one);
    file[Number(row)] = [...files.add(other)].indexOf(other);
  }
  return { ...columns, tool, file, tables: { ...columns.tables, tools: [...tools], files: [...files] } };
}

it("a fetched file counts its results in every request that sends them; edited files do not count", () => {
  // Rows: the inferred overhead, u, a, c, r900, a, c, r100, a, c, r50, a. Four requests.
  const columns = drawColumns("u10 a10 c5 r900 | a10 c5 r100 | a10 c5 r50 | a10");
  const { files } = evidenceOf(named(columns, { 4: ["Read", "/a.ts"], 7: ["Read", "/a.ts"], 10: ["Edit", "/b.ts"] }));
  // 900 in the last three requests, 100 in the last two. No request has a price.
  expect(files).toEqual([{ name: "/a.ts", fetches: 2, sent: 3 * 900 + 2 * 100, usd: null }]);
});

it("a command counts the results of its calls in every request that sends them", () => {
  // Rows: the inferred overhead, u, a, c, r900, a, c, r100, a. Three requests.
  const columns = drawColumns("u10 a10 c5 r900 | a10 c5 r100 | a10");
  const { commands } = evidenceOf(columns, {}, new Map([[3, "git diff"], [6, "git diff"]])); // biome-ignore format: pairs
  expect(commands).toEqual([{ name: "git diff", fetches: 2, sent: 2 * 900 + 100, usd: null }]);
});

const BEFORE: DrawnRequest = { read: 100_000, write: 60_000 };
const AFTER: DrawnRequest = { behind: "compaction", read: 20_000, write: 30_000 };
const LATER: DrawnRequest = { read: 50_000 };

/** A compaction that breaks even after 5.5 requests, with some requests after it. */
function compactedBefore(later: number) {
  const columns = drawRequests([BEFORE, AFTER, ...Array.from({ length: later }, () => LATER)]);
  const compaction = { line: 3, trigger: "auto", tokensBefore: null, tokensAfter: null, summaryTokens: 2000 } as const;
  return evidenceOf(columns, {
    agent: "claude-code",
    compactions: [{ ...compaction, summaryLine: null }],
  }).compactions;
}

it("a compaction is paid from its break-even on; before, it counts with the cost not earned back", () => {
  // Cost and break-even: lib/core/cost/boundary-cost.test.ts. Of 0.1725 of uncached tokens and 0.13 of the call, five requests earned back 0.055 each.
  expect(compactedBefore(4)).toEqual({ known: 1, unpaid: 1, unpaidUsd: expect.closeTo(0.0275, 9) });
  expect(compactedBefore(5)).toEqual({ known: 1, unpaid: 0, unpaidUsd: 0 });
});
