import fc from "fast-check";
import { expect, test } from "vitest";
import { ITEM_CATEGORIES } from "../base/categories";
import { serverOfTool, serversOf } from "../base/mcp-server";
import { recordedMembership } from "../columns/membership";
import { pointCount } from "../columns/points";
import { sizeTokenColumn } from "../columns/token-columns";
import { NO_OVERHEAD, splitOverhead, withOverhead } from "../context/context-overhead";
import { recordedSeries } from "../context/recorded";
import { arbitraryDrawing } from "../testing/arbitrary";
import { drawColumns } from "../testing/draw";
import { contributorsAt } from "./contributors";
import { fillPoints, growthByTurn, growthPerRequest } from "./growth";
import { measuredContext } from "./measured-context";
import { recordedStays } from "./stays";
import { unusedTools } from "./unused-tools";

function contextOf(drawing: string) {
  const columns = drawColumns(drawing);
  const tokens = sizeTokenColumn(columns, "bytes-4");
  return { columns, tokens, series: recordedSeries({ columns, tokens }) };
}

test("a turn's growth is its last context minus the last context before the turn", () => {
  const { columns, series } = contextOf("u10 a20 u5 c1 r40 a3 B s9 u1 a1");
  expect(growthByTurn(columns, series.context)).toEqual([
    { turn: 0, firstRequest: 0, lastRequest: 0, growth: 10 },
    { turn: 1, firstRequest: 1, lastRequest: 2, growth: 66 },
    { turn: 2, firstRequest: 3, lastRequest: 3, growth: -66 },
  ]);
});

test("growth sums to the last context", () => {
  fc.assert(
    fc.property(arbitraryDrawing, (drawing) => {
      const { columns, series } = contextOf(drawing);
      const growth = growthByTurn(columns, series.context);
      expect(growth.reduce((sum, turn) => sum + turn.growth, 0)).toBe(series.context[pointCount(columns) - 1]);
    }),
  );
});

test("growth by request is the mean over neighbouring requests without a boundary between them", () => {
  const rate = (drawing: string) => {
    const { columns, series } = contextOf(drawing);
    return growthPerRequest(columns, series.context);
  };
  // 100 → 150 → 190, then after the compaction 60 → 90: steps of 50, 40 and 30.
  expect(rate("u1 a1 @100 u1 a1 @150 u1 a1 @190 B s9 u1 a1 @60 u1 a1 @90")).toBe(40);
  // A rollback is not growth, and neither is the request after it.
  expect(rate("u1 a1 @100 u1 a1 @150 <2 u1 a1 @120 u1 a1 @190")).toBe(60);
  // The context lost 20 between two requests without a boundary.
  expect(rate("u1 a1 @100 u1 a1 @150 u1 a1 @130")).toBe(15);
});

test("growth by request is absent if no two requests can be compared or the context does not grow", () => {
  for (const drawing of ["u1 a1 @100", "u1 a1 @100 B s9 u1 a1 @500", "u1 a1 @100 u1 a1 @90"]) {
    const { columns, series } = contextOf(drawing);
    expect(growthPerRequest(columns, series.context)).toBeUndefined();
  }
});

test("growth by request over a recording without a boundary follows from its first and last context", () => {
  fc.assert(
    fc.property(arbitraryDrawing, (drawing) => {
      const { columns, series } = contextOf(drawing.replaceAll(/[BM<]\d*/g, ""));
      const last = pointCount(columns) - 1;
      const grown = (series.context[last] ?? 0) - (series.context[0] ?? 0);
      const rate = growthPerRequest(columns, series.context);
      if (grown > 0) expect(rate).toBeCloseTo(grown / last);
      else expect(rate).toBeUndefined();
    }),
  );
});

test("the first request that reached each share of the window is found", () => {
  const { columns, series } = contextOf("u10 a40 u40 a1 u5 a1");
  expect(fillPoints(columns, series.context, 100)).toEqual([
    { share: 0.5, request: 1, turn: 1 },
    { share: 0.8, request: 1, turn: 1 },
    { share: 0.95, request: 2, turn: 2 },
  ]);
  expect(fillPoints(columns, series.context, 1000)[0]).toEqual({ share: 0.5, request: undefined, turn: undefined });
});

test.each([
  ["mcp__playwright__browser_click", "playwright"],
  ["mcp__n8n-mcp__n8n_health_check", "n8n-mcp"],
  ["mcp__grepai", "grepai"],
  ["github__create_issue", "github"],
  ["mcp_github_create_issue", "github"],
  ["read_file", undefined],
  ["Read", undefined],
  ["__unknown__", undefined],
])("the tool %s belongs to server %s", (tool, server) => {
  expect(serverOfTool(tool)).toBe(server);
});

test("servers are numbered in the order of first occurrence", () => {
  const { names, ofTool } = serversOf(["Read", "b__x", "a__y", "b__z"]);
  expect([names, Array.from(ofTool)]).toEqual([
    ["b", "a"],
    [-1, 0, 1, 0],
  ]);
});

test("a declared tool that is never called costs its declaration in every request", () => {
  const { columns, tokens } = contextOf("u10 c5 r20 a5");
  const tools = [
    { name: "Read", tokens: 10 },
    { name: "Other", tokens: 30 },
  ];
  const given = { categories: [{ id: "builtinTools" as const, tokens: 40, items: tools }] };
  const series = splitOverhead(recordedSeries({ columns, tokens: withOverhead({ columns, tokens }, given) }), given);
  const measured = measuredContext(columns, recordedStays({ columns, tokens }, recordedMembership(columns)), series);
  const range = { from: 0, to: 1 };
  expect(unusedTools(measured, given, range)).toEqual([{ name: "Other", tokens: 30, residency: 60, cost: undefined }]);
  expect(unusedTools(measured, NO_OVERHEAD, range)).toBeUndefined();
});

test("a context profile's overhead is a contributor in its own category", () => {
  const { columns, tokens } = contextOf("u10 c5 r20 a5");
  const given = { categories: [{ id: "mcpTools" as const, tokens: 40, items: [] }] };
  const sized = withOverhead({ columns, tokens }, given);
  const series = splitOverhead(recordedSeries({ columns, tokens: sized }), given);
  const stays = recordedStays({ columns, tokens: sized }, recordedMembership(columns));
  const { rows, context } = contributorsAt(measuredContext(columns, stays, series), 1, "tool");
  expect(rows.find(({ kind, index }) => kind === "category" && ITEM_CATEGORIES[index] === "mcpTools")).toMatchObject({
    tokens: 40,
    residency: 80,
  });
  expect(rows.reduce((sum, row) => sum + row.tokens, 0)).toBe(context);
});
