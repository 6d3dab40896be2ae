import fc from "fast-check";
import { expect, test } from "vitest";
import { columnsFromTranscript } from "@/lib/core/columns/from-transcript";
import { pointCount } from "@/lib/core/columns/points";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { splitOverhead, withOverhead } from "@/lib/core/context/context-overhead";
import type { BreakdownInput } from "@/lib/core/context/own-breakdown";
import type { ContextProfile } from "@/lib/core/context/profile";
import { recordedSeries } from "@/lib/core/context/recorded";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { drawColumns } from "@/lib/core/testing/draw";
import { readTranscript } from "@/verify/support/read";
import { contextTextTokens } from "../messages/estimates";
import { qwenCodeReader } from "../read/reader";
import { qwenCodeBreakdown } from "./breakdown";
import { qwenCodeOverhead } from "./overhead";

const session = { sessionId: "5f0c2a10-1111-4111-8111-000000000010", cwd: "/home/ada/shop", version: "0.12.0" };
const typed = {
  ...session,
  uuid: "1",
  parentUuid: null,
  type: "user",
  message: { role: "user", parts: [{ text: "Hello." }] },
};

function answer(usage: object) {
  return {
    ...session,
    uuid: "2",
    parentUuid: "1",
    type: "assistant",
    model: "glm-5",
    message: { role: "model", parts: [{ text: "Hi." }] },
    ...usage,
  };
}

function question(records: readonly object[], profile: ContextProfile): BreakdownInput {
  const bytes = new TextEncoder().encode(records.map((record) => JSON.stringify(record)).join("\n"));
  return questionOf(columnsFromTranscript(readTranscript(bytes, qwenCodeReader)), profile);
}

function questionOf(columns: BreakdownInput["columns"], profile: ContextProfile): BreakdownInput {
  const overhead = qwenCodeOverhead(profile, contextTextTokens);
  const tokens = withOverhead(countedBySize(columns, "bytes-4"), overhead);
  const series = splitOverhead(recordedSeries({ columns, tokens }), overhead);
  return { columns, tokens, series, simulated: false, request: 0, window: 131_072, overhead };
}

const screen = (asked: BreakdownInput, preset = "as-documented") =>
  qwenCodeBreakdown.text?.(
    qwenCodeBreakdown.at(asked, preset),
    { window: asked.window, model: "glm-5", view: "list" },
    preset,
  );

test("the breakdown reproduces the documented screen before the first response", () => {
  const profile = {
    systemPrompt: 4800,
    tools: [
      { name: "edit", schema: 5200 },
      { name: "skill", schema: 5100 },
    ],
    memoryFiles: [{ path: "QWEN.md", content: 845 }],
  };
  expect(screen(question([typed, answer({})], profile))).toBe(`Context Usage

  No API response yet. Send a message to see actual usage.

  Estimated pre-conversation overhead
  Model: glm-5  Context window: 131.1k tokens

  █ System prompt         4.8k tokens (3.7%)
  █ System tools          5.2k tokens (4.0%)
  █ Memory files          845 tokens (0.6%)
  █ Skills                5.1k tokens (3.9%)
  ░ Free space            75.8k tokens (57.8%)
  ░ Autocompact buffer    39.3k tokens (30.0%)`);
});

test("the breakdown reproduces the documented screen with a response", () => {
  const profile = {
    systemPrompt: 4500,
    tools: [{ name: "edit", schema: 4900 }],
    memoryFiles: [{ path: "QWEN.md", content: 790 }],
    skills: [{ name: "pdf", description: 4800 }],
  };
  expect(
    screen(question([typed, answer({ usageMetadata: { promptTokenCount: 25_300 } })], profile)),
  ).toBe(`Context Usage

  ████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  glm-5
  25.3k/131.1k tokens (19.3%)

  Usage by category
  █ System prompt         4.5k tokens (3.4%)
  █ System tools          4.9k tokens (3.7%)
  █ Memory files          790 tokens (0.6%)
  █ Skills                4.8k tokens (3.7%)
  █ Messages              10.3k tokens (7.9%)
  ░ Free space            66.5k tokens (50.7%)
  ░ Autocompact buffer    39.3k tokens (30.0%)`);
});

test("the breakdown scales down an overhead and its items that exceed the reported size", () => {
  const profile = {
    systemPrompt: 600,
    tools: [
      { name: "edit", schema: 250 },
      { name: "glob", schema: 150 },
      { name: "query", server: "db", schema: 200 },
    ],
  };
  const { total, rows } = qwenCodeBreakdown.at(
    question([typed, answer({ usageMetadata: { promptTokenCount: 600 } })], profile),
    "as-documented",
  );
  expect(total).toEqual({ tokens: 600, kind: "recorded" });
  expect(rows.map(({ id, tokens }) => [id, tokens])).toEqual([
    ["systemPrompt", 300],
    ["builtinTools", 200],
    ["mcpTools", 100],
    ["messages", 0],
    ["freeSpace", 91_150],
    ["autocompactBuffer", 39_322],
  ]);
  expect(rows[1]?.items).toEqual([
    { name: "edit", tokens: 125 },
    { name: "glob", tokens: 75 },
  ]);
  expect(rows[2]?.items).toEqual([{ name: "db__query", tokens: 100 }]);
});

test("the breakdown measures a profile's texts by the program's rule", () => {
  const schema = (name: string) => ({ name, description: "…", parametersJsonSchema: {} });
  const tools = [
    { name: "edit", schema: schema("edit") },
    { name: "skill", schema: schema("skill") },
  ];
  const memory = "--- Context from: ~/.qwen/QWEN.md ---\n规则\n--- End of Context from: ~/.qwen/QWEN.md ---\n";
  const overhead = qwenCodeOverhead({ tools, memoryFiles: [{ path: "memory", content: memory }] }, contextTextTokens);
  const declared = contextTextTokens(JSON.stringify(tools.map((tool) => tool.schema)));
  const skills = contextTextTokens(JSON.stringify(schema("skill")));
  expect(overhead.declaredTokens).toBe(declared);
  expect(overhead.categories.map(({ id, tokens }) => [id, tokens])).toEqual([
    ["builtinTools", declared - skills],
    ["skills", skills],
    ["memoryFiles", contextTextTokens("规则\n")],
  ]);
  expect(overhead.categories[2]?.items[0]?.name).toBe("~/.qwen/QWEN.md");
});

test("the current release's breakdown has thresholds, a tier and an unattributed rest", () => {
  const asked = question(
    [typed, answer({ usageMetadata: { promptTokenCount: 100_000, cachedContentTokenCount: 500 } })],
    {
      systemPrompt: 1000,
    },
  );
  const { rows, tier, levels, cachedTokens } = qwenCodeBreakdown.at(asked, "current");
  expect([tier, cachedTokens]).toEqual(["auto", 500]);
  expect(levels?.map(({ id, tokens }) => [id, tokens])).toEqual([
    ["warn", 78_072],
    ["auto", 98_072],
    ["hard", 108_072],
    ["effectiveWindow", 111_072],
  ]);
  // Only the profile and the conversation's estimate explain the content of the request.
  expect(rows.find(({ id }) => id === "unattributed")?.tokens).toBe(98_998);
  expect(screen(asked, "current")).toContain("Current tier:       auto");
});

test("a breakdown without a profile infers the overhead from the first request", () => {
  const { rows } = qwenCodeBreakdown.at(
    question([typed, answer({ usageMetadata: { promptTokenCount: 25_300 } })], {}),
    "as-documented",
  );
  expect(rows.slice(0, 2).map(({ id, tokens, kind }) => [id, tokens, kind])).toEqual([
    ["overheadInferred", 25_298, "inferred"],
    ["messages", 2, "inferred"],
  ]);
});

test("the breakdown sums to the window at every request, under both presets and any profile", () => {
  const size = fc.integer({ min: 0, max: 2000 });
  const profiles = fc.record({ systemPrompt: size, tools: fc.array(fc.record({ name: fc.string(), schema: size })) });
  const windows = fc.integer({ min: 1, max: 5000 });
  fc.assert(
    fc.property(arbitraryDrawing, profiles, windows, fc.boolean(), (drawing, profile, window, simulated) => {
      const asked = questionOf(drawColumns(drawing), profile);
      for (let request = 0; request < pointCount(asked.columns); request++) {
        for (const preset of qwenCodeBreakdown.presets) {
          const { rows, total } = qwenCodeBreakdown.at({ ...asked, request, window, simulated }, preset);
          expect(rows.reduce((sum, row) => sum + row.tokens, 0)).toBe(window);
          if (total !== null) expect(total.tokens).toBe(asked.series.context[request]);
          for (const { id, tokens, parts } of rows) {
            if (id !== "residual") expect(tokens).toBeGreaterThanOrEqual(0);
            if (parts !== undefined && parts.length > 0) {
              expect(parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(tokens);
            }
          }
        }
      }
    }),
  );
});
