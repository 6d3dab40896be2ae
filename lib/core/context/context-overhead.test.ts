import fc from "fast-check";
import { expect, test } from "vitest";
import { pointCount } from "../columns/points";
import { countedBySize } from "../columns/token-columns";
import { customPolicy } from "../compaction/policies/custom";
import { resolveSettings } from "../compaction/policy/settings";
import { replay } from "../compaction/replay";
import { arbitraryDrawing } from "../testing/arbitrary";
import { drawColumns } from "../testing/draw";
import { breakdownAt } from "./breakdown";
import { type ContextOverhead, itemsWithin, splitOverhead, withOverhead, withoutRecorded } from "./context-overhead";
import { type ContextProfile, profileOverhead } from "./profile";
import { recordedSeries } from "./recorded";

const overhead: ContextOverhead = {
  categories: [
    { id: "systemPrompt", tokens: 300, items: [] },
    { id: "mcpTools", tokens: 100, items: [{ name: "db__query", tokens: 60 }] },
  ],
};

function rowsOf(drawing: string, given: ContextOverhead, window = 1000) {
  const columns = drawColumns(drawing);
  const tokens = withOverhead(countedBySize(columns, "bytes-4"), given);
  const series = splitOverhead(recordedSeries({ columns, tokens }), given);
  const { rows } = breakdownAt({ series, request: pointCount(columns) - 1, window, overhead: given });
  return rows.map(({ id, tokens: size }) => [id, size]);
}

test("a profile splits the inferred overhead, and the rest stays inferred", () => {
  expect(rowsOf("u10 a20 @510", overhead)).toEqual([
    ["systemPrompt", 300],
    ["mcpTools", 100],
    ["overheadInferred", 100],
    ["messages", 10],
    ["freeSpace", 490],
  ]);
});

test("without usage a profile is the whole overhead, and its parts are limited to the recorded total", () => {
  expect(rowsOf("u10 a20", overhead)).toEqual([
    ["systemPrompt", 300],
    ["mcpTools", 100],
    ["messages", 10],
    ["freeSpace", 590],
  ]);
  expect(rowsOf("u10 a20 @200", overhead)).toEqual([
    ["systemPrompt", 150],
    ["mcpTools", 50],
    ["messages", 0],
    ["freeSpace", 800],
  ]);
});

test("recorded overhead takes precedence over a profile", () => {
  const columns = { ...drawColumns("u10 a20"), overheadRows: 2, category: Uint8Array.of(0, 9, 10) };
  expect(withoutRecorded(overhead, columns).categories.map(({ id }) => id)).toEqual(["mcpTools"]);
});

test("items are reduced with their category, largest first", () => {
  const category = {
    id: "mcpTools" as const,
    tokens: 100,
    items: [
      { name: "a", tokens: 20 },
      { name: "b", tokens: 60 },
    ],
  };
  expect(itemsWithin(category, 100).map(({ name }) => name)).toEqual(["b", "a"]);
  expect(itemsWithin(category, 50).map(({ tokens }) => tokens)).toEqual([30, 10]);
});

test("texts of a profile are counted, and numbers are taken as counts", () => {
  const profile: ContextProfile = {
    systemPrompt: "12345678",
    tools: [
      { name: "edit", schema: { name: "edit" } },
      { name: "query", server: "db", schema: 7 },
    ],
    skills: [{ name: "pdf", description: 9, body: "not sent" }],
    memoryFiles: [{ path: "AGENTS.md", content: "1234" }],
  };
  const { categories } = profileOverhead(profile, (text) => text.length / 4);
  expect(categories.map(({ id, tokens, items }) => [id, tokens, items.map(({ name }) => name)])).toEqual([
    ["systemPrompt", 2, []],
    ["builtinTools", 3.75, ["edit"]],
    ["mcpTools", 7, ["db__query"]],
    ["skills", 9, ["pdf"]],
    ["memoryFiles", 1, ["AGENTS.md"]],
  ]);
});

test("splitting changes no sum of a recording or a simulation", () => {
  const size = fc.integer({ min: 0, max: 1500 });
  fc.assert(
    fc.property(arbitraryDrawing, size, size, (drawing, prompt, tools) => {
      const columns = drawColumns(drawing);
      const given = profileOverhead({ systemPrompt: prompt, tools: [{ name: "t", schema: tools }] }, () => 0);
      const tokens = withOverhead(countedBySize(columns, "bytes-4"), given);
      const specs = customPolicy.settings("default", { window: 2000, agent: null });
      const settings = resolveSettings(specs, {});
      const simulated = replay({ columns, tokens }, customPolicy, settings, { window: 2000, counting: "anchored" });
      for (const series of [recordedSeries({ columns, tokens }), simulated]) {
        const split = splitOverhead(series, given);
        for (let point = 0; point < pointCount(columns); point++) {
          const sum = split.byCategory.reduce((total, column) => total + (column[point] ?? 0), 0);
          expect(sum + (split.unattributed[point] ?? 0)).toBe(series.context[point]);
          for (const column of split.byCategory) expect(column[point]).toBeGreaterThanOrEqual(0);
        }
      }
    }),
  );
});
