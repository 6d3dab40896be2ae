import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ITEM_CATEGORIES } from "../base/categories";
import { sumOf } from "../base/numbers";
import type { SessionColumns } from "../columns/columns";
import { recordedMembership } from "../columns/membership";
import { pointCount } from "../columns/points";
import { sizeTokenColumn } from "../columns/token-columns";
import { customPolicy } from "../compaction/policies/custom";
import { resolveSettings } from "../compaction/policy/settings";
import { replay } from "../compaction/replay";
import { recordedSeries } from "../context/recorded";
import type { ContextSeries } from "../context/series";
import { arbitraryDrawing } from "../testing/arbitrary";
import { drawColumns } from "../testing/draw";
import { GROUPINGS } from "./contributor-groups";
import { type Contributors, contributorsAt } from "./contributors";
import { heaviestItems } from "./items-at";
import { type MeasuredContext, measuredContext } from "./measured-context";
import { recordedStays, type Stays, simulatedStays } from "./stays";

function recorded(columns: SessionColumns) {
  const tokens = sizeTokenColumn(columns, "bytes-4");
  const series = recordedSeries({ columns, tokens });
  return measuredContext(columns, recordedStays({ columns, tokens }, recordedMembership(columns)), series);
}

/** Replays a policy that clears, summarises and truncates, so that the items of a context change in every way. */
function simulated(columns: SessionColumns, given: Readonly<Record<string, number>>) {
  const tokens = sizeTokenColumn(columns, "bytes-4");
  const settings = resolveSettings(customPolicy.settings("default", { window: 1000, agent: null }), given);
  const run = replay({ columns, tokens }, customPolicy, settings, { window: 1000, counting: "estimate" });
  return measuredContext(columns, simulatedStays(columns, run), run);
}

const SETTINGS = fc.record({
  triggerShare: fc.double({ min: 0.05, max: 1, noNaN: true }),
  keepRecentTokens: fc.integer({ min: 0, max: 400 }),
  keepUserTokens: fc.integer({ min: 0, max: 300 }),
  clearToolResultsAfter: fc.integer({ min: 0, max: 3 }),
  summaryTokens: fc.integer({ min: 0, max: 200 }),
});

/** Adds tools, files and servers to some items of a generated session. */
function withNames(columns: SessionColumns): SessionColumns {
  const named = (count: number) => columns.tool.map((tool, row) => (tool < 0 ? tool : row % count));
  const tables = {
    tools: ["Read", "mcp__git__log", "mcp__git__show"],
    files: ["a.ts", "b.ts"],
    models: [],
    terms: [],
    overhead: [""],
  };
  return { ...columns, tool: named(3), file: named(2), tables };
}

const measured = fc.oneof(
  arbitraryDrawing.map((drawing) => recorded(withNames(drawColumns(drawing)))),
  fc.tuple(arbitraryDrawing, SETTINGS).map(([drawing, given]) => simulated(withNames(drawColumns(drawing)), given)),
);

describe("contributors", () => {
  test("have tokens that sum to the context, and residencies that sum to the tokens sent", () => {
    fc.assert(
      fc.property(measured, fc.constantFrom(...GROUPINGS), (context, grouping) => {
        for (let request = 0; request < pointCount(context.columns); request++) {
          const { rows, sent } = contributorsAt(context, request, grouping);
          expect(sumOf(rows.map(({ tokens }) => tokens))).toBe(context.series.context[request]);
          expect(sumOf(rows.map(({ residency }) => residency))).toBeCloseTo(sent, 4);
          for (const row of rows) expect(row.tokens).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  test("have a residency equal to a brute-force sum of their tokens over all requests", () => {
    fc.assert(
      fc.property(measured, fc.constantFrom(...GROUPINGS), (context, grouping) => {
        const last = pointCount(context.columns) - 1;
        const until = contributorsAt(context, last, grouping);
        const summed = new Map<string, number>();
        for (let request = 0; request <= last; request++) {
          for (const [key, value] of bruteForce(context, request, contributorsAt(context, request, grouping))) {
            summed.set(key, (summed.get(key) ?? 0) + value);
          }
        }
        for (const { kind, index, residency } of until.rows) {
          expect(residency).toBeCloseTo(summed.get(`${kind} ${index}`) ?? 0, 4);
        }
      }),
    );
  });

  test("have the estimates of their items if the context is an estimate", () => {
    fc.assert(
      fc.property(arbitraryDrawing, SETTINGS, (drawing, given) => {
        const { factor, series, stays } = simulated(drawColumns(drawing), given);
        for (let request = 0; request < series.context.length; request++) {
          const sizes = sizesAt(stays, request);
          expect(sumOf(sizes.map(({ tokens }) => tokens))).toBe(series.context[request]);
          for (const { category, tokens } of sizes) if (tokens > 0) expect(factor(category, request)).toBeCloseTo(1, 9);
        }
      }),
    );
  });

  test("equal the values computed by hand", () => {
    const columns = drawColumns("u10 c20 @530 r70 a5 @620");
    const { rows, context, sent } = contributorsAt(recorded(columns), 1, "tool");
    expect([context, sent]).toEqual([620, 1150]);
    expect(rows.map(({ kind, index, tokens, items, calls }) => [nameOf(kind, index), tokens, items, calls])).toEqual([
      ["tool 0", 90, 2, 1],
      ["overheadInferred", 520, 1, 0],
      ["user", 10, 1, 0],
    ]);
    expect(rows[0]?.residency).toBe(90);
    expect(rows[0]?.largest).toBe(3);
  });

  test("keep their residency after they leave the context, and a summary counts in its category", () => {
    const columns = drawColumns("u100 c20 r300 a20 u300 a1");
    const given = { triggerShare: 0.5, keepRecentTokens: 30, summaryTokens: 50 };
    const { rows } = contributorsAt(simulated(columns, given), 2, "tool");
    const read = rows.find(({ kind }) => kind === "tool");
    const summary = rows.find(({ kind, index }) => nameOf(kind, index) === "summaries");
    expect(read).toMatchObject({ tokens: 0, residency: 320, items: 2, present: 0 });
    expect(summary).toMatchObject({ tokens: 50, items: 1, largest: -1 });
  });
});

test("the largest items are those with tokens in the context, sorted by size", () => {
  fc.assert(
    fc.property(measured, (context) => {
      const { columns, series, stays, factor } = context;
      for (let request = 0; request < pointCount(columns); request++) {
        const found = heaviestItems(context, request);
        const weights = sizesAt(stays, request)
          .filter(({ item }) => item >= columns.overheadRows && item < columns.length)
          .map(({ category, tokens }) => Math.round(tokens * factor(category, request)));
        expect(found.map(({ tokens }) => tokens)).toEqual(weights.filter((one) => one > 0).sort((a, b) => b - a));
        expect(heaviestItems(context, request, 2)).toEqual(found.slice(0, 2));
        expect(sumOf(found.map(({ tokens }) => tokens))).toBeLessThanOrEqual(
          (series.context[request] ?? 0) + found.length,
        );
      }
    }),
  );
});

function nameOf(kind: string, index: number): string {
  return kind === "category" ? (ITEM_CATEGORIES[index] ?? "") : `${kind} ${index}`;
}

function sizesAt(stays: Stays, request: number) {
  const sizes: { item: number; category: number; tokens: number }[] = [];
  stays((item, category, tokens, from, to) => {
    if (from <= request && request < to) sizes.push({ item, category, tokens });
  });
  return sizes;
}

/** Every group's tokens at a request, not rounded: each item's share of its category's tokens. */
function bruteForce(context: MeasuredContext, request: number, { rows }: Contributors): Map<string, number> {
  const { columns, series, stays } = context;
  const sizes = sizesAt(stays, request);
  const ofCategory = (wanted: number) =>
    sumOf(sizes.filter(({ category }) => category === wanted).map(({ tokens }) => tokens));
  const found = new Map<string, number>();
  const add = (key: string, value: number) => found.set(key, (found.get(key) ?? 0) + value);
  for (const { item, category, tokens } of sizes) {
    if (tokens === 0) continue;
    const weight = (tokens * categoryTokens(series, category, request)) / ofCategory(category);
    add(keyOf(columns, item, category, rows), weight);
  }
  add("unattributed -1", (series.context[request] ?? 0) - sumOf([...found.values()]));
  return found;
}

function categoryTokens(series: ContextSeries, category: number, request: number): number {
  return series.byCategory[category]?.[request] ?? 0;
}

/** The group of an item, found from the kinds of groups that occur. */
function keyOf(columns: SessionColumns, item: number, category: number, rows: Contributors["rows"]): string {
  const own = rows.find(({ kind }) => kind !== "category" && kind !== "unattributed")?.kind;
  const tool = columns.tool[item] ?? -1;
  const index = {
    tool,
    server: tool < 0 ? undefined : tool === 0 ? -1 : 0,
    file: columns.file[item] ?? -1,
    message: columns.message[item] ?? -1,
    turn: item < columns.overheadRows || item >= columns.length ? undefined : columns.turn[item],
  }[own as "tool"];
  const none = index === undefined || (own !== "server" && own !== "turn" && index < 0);
  return own === undefined || none || item >= columns.length ? `category ${category}` : `${own} ${index}`;
}
