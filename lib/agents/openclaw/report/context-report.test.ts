import { expect, it } from "vitest";
import { z } from "zod";
import type { ReportQuestion } from "@/lib/agents/shared/server-profile";
import { drawColumns } from "@/lib/core/testing/draw";
import { contextReporter } from "./context-report";

const question: ReportQuestion = {
  file: "s.jsonl",
  sessionId: "s",
  preset: "as-documented",
  columns: drawColumns("u10 a20 @500 u5 a5 @900"),
  request: 1,
  window: { tokens: 200_000, source: "default" },
  model: "anthropic/claude-opus-4-5",
  profile: {
    systemPrompt: "Be short.",
    tools: [{ name: "exec", schema: { description: "Run", parameters: { properties: { a: {} } } } }],
    skills: [{ name: "weather", description: "Rain." }],
    memoryFiles: [{ path: "AGENTS.md", content: "x".repeat(30_000) }],
  },
};

it("report entries have an id and the values of their message", () => {
  const { facts } = contextReporter.at(question);
  expect(Object.fromEntries(facts.map(({ id, values }) => [id, values]))).toEqual({
    window: { tokens: 200_000, source: { word: "default" } },
    guard: { state: { word: "ok" }, warn: 32_000, block: 16_000 },
    input: { tokens: 900 },
    output: { tokens: 1 },
    total: { tokens: 900 },
    compactions: { count: 0 },
    memory: { count: 0, lines: "" },
  });
});

it("the report has a table of the prompt's parts, and another table for every list with entries", () => {
  const { tables, texts } = contextReporter.at(question);
  expect(tables.map(({ id, rows }) => [id, rows.length])).toEqual([
    ["parts", 5],
    ["files", 1],
    ["skills", 1],
    ["tools", 1],
  ]);
  expect(tables[1]?.rows[0]).toEqual(["AGENTS.md", 30_000, expect.any(Number), { word: "truncated" }]);
  for (const { columns, rows } of tables) for (const row of rows) expect(row).toHaveLength(columns.length);
  expect(texts.map(({ id }) => id)).toEqual(["list", "detail"]);
});

it("the report's JSON holds the agent's report, null if there is none, and the session", () => {
  const session = { totalTokens: 900, inputTokens: 900, outputTokens: 1, contextTokens: 200_000 };
  const { report, session: shown } = z
    .object({ report: z.object({ systemPrompt: z.object({ chars: z.int() }) }), session: z.unknown() })
    .parse(JSON.parse(contextReporter.at(question).json));
  expect([report.systemPrompt.chars, shown]).toEqual(["Be short.".length, session]);
  const { profile: _none, ...bare } = question;
  expect(JSON.parse(contextReporter.at(bare).json)).toEqual({ report: null, session });
});

it("the report gives unknown values as null, and has no table without a prompt", () => {
  const { profile: _none, ...bare } = question;
  const report = contextReporter.at({ ...bare, columns: drawColumns("u10") });
  expect(report.facts.find(({ id }) => id === "input")?.values).toEqual({ tokens: null });
  expect([report.tables, report.texts]).toEqual([[], []]);
  expect(report.lines[2]).toBe("Session: input n/a, output n/a, total n/a, context 200,000, compactions 0");
});
