import { expect, it } from "vitest";
import type { ReportQuestion } from "@/lib/agents/shared/server-profile";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { overheadTokens } from "@/lib/core/context/context-overhead";
import { recordedSeries } from "@/lib/core/context/recorded";
import { windowUnder } from "@/lib/core/context/window";
import { drawColumns } from "@/lib/core/testing/draw";
import { openClawBreakdown } from "./breakdown";
import { contextReporter, contextStateAt, memoryIndexSyncs, overheadOfReport, reportOf } from "./context-report";
import { promptReport } from "./prompt-report";
import { windowsBeside } from "./windows-beside";

const prompt = `You are Lobster.
Tool names are case-sensitive. Call tools exactly as listed.
- exec: Run
TOOLS.md does not control tool availability; it is user guidance for how to use external tools.
<skill><name>weather</name></skill>
# Project Context
## AGENTS.md
Be kind.
## Silent Replies
NO_REPLY`;
const stored = promptReport({
  source: "run",
  workspaceDir: "/home/mia/w",
  bootstrapMaxChars: 20,
  systemPrompt: prompt,
  bootstrapFiles: [{ name: "AGENTS.md", path: "/w/AGENTS.md", content: "Be kind. ".repeat(9), missing: false }],
  injectedFiles: [{ path: "AGENTS.md", content: "Be kind." }],
  skillsPrompt: "<skill><name>weather</name></skill>",
  tools: [{ name: "exec", description: "Run", parameters: { type: "object", properties: { command: {} } } }],
});
const companion = JSON.stringify({ "agent:main:main": { sessionId: "s", systemPromptReport: stored } });
const session = { file: "s.jsonl", sessionId: "s", preset: "as-documented" };
const columns = drawColumns("u10 a20 @500 u5 a5 @900 B s20 u5 a5");

function asked(more: Partial<ReportQuestion> = {}): ReportQuestion {
  return {
    ...session,
    columns,
    request: 1,
    window: { tokens: 200_000, source: "default" },
    model: "anthropic/claude-opus-4-5",
    ...more,
  };
}

it("the report is the one that the last run stored next to the transcript", () => {
  const { views, session: metrics, guard } = contextStateAt(asked({ companion }));
  expect(views?.list).toContain("- AGENTS.md: TRUNCATED | raw 80 chars (~20 tok) | injected 8 chars (~2 tok)");
  expect(views?.list).toContain("Tool schemas (JSON): 45 chars");
  expect(views?.list).toContain("Session tokens (cached): 900 total / ctx=200000");
  expect(views?.detail).toContain("Top skills (prompt entry size):");
  expect(metrics).toEqual({
    inputTokens: 900,
    outputTokens: 1,
    totalTokens: 900,
    contextTokens: 200_000,
    compactionCount: 0,
  });
  expect(guard).toEqual({ warnBelow: 32_000, blockBelow: 16_000, state: "ok" });
});

it("the report separates the overlapping parts of the prompt", () => {
  const overhead = overheadOfReport({ ...session, companion });
  const chars = stored.systemPrompt.chars + stored.tools.schemaChars;
  expect(overhead?.categories.map(({ id }) => id)).toEqual(["systemPrompt", "builtinTools", "skills", "memoryFiles"]);
  // Each category is rounded up once: at most a token each.
  expect(Math.abs(overheadTokens(overhead ?? { categories: [] }) - chars / 4)).toBeLessThanOrEqual(4);
});

it("the report is made from a profile if none was stored", () => {
  const profile = {
    systemPrompt: "Be short.",
    tools: [
      { name: "exec", schema: { description: "Run", parameters: { properties: { a: {} } } } },
      { name: "q", server: "db", schema: 9 },
    ],
    skills: [{ name: "weather", description: "Rain." }],
    memoryFiles: [{ path: "AGENTS.md", content: "x".repeat(30_000) }],
  };
  const report = reportOf({ ...session, profile });
  expect(report).toMatchObject({ source: "estimate", bootstrapMaxChars: 20_000 });
  expect(report?.injectedWorkspaceFiles[0]).toMatchObject({ rawChars: 30_000, truncated: true });
  expect(report?.injectedWorkspaceFiles[0]?.injectedChars).toBeLessThan(20_000);
  expect(
    report?.tools.entries.map(({ name, schemaChars, propertiesCount }) => [name, schemaChars, propertiesCount]),
  ).toEqual([
    ["exec", '{"properties":{"a":{}}}'.length, 1],
    ["db__q", 36, null],
  ]);
  expect(reportOf({ ...session, companion, profile })?.source).toBe("run");
  expect(reportOf(session)).toBeUndefined();
});

it("the window is configured, capped by the agents' limit, and checked by the guard", () => {
  const models = { providers: { anthropic: { models: [{ id: "claude-opus-4-5", contextWindow: 150_000 }] } } };
  const given = { tokens: 200_000, source: "default" } as const;
  const of = (config: Readonly<Record<string, unknown>>) => {
    const window = windowUnder(given, ["claude-opus-4-5"], windowsBeside.ofConfig(config, "as-documented"));
    return contextStateAt(asked({ window }));
  };
  expect(of({ models }).window).toEqual({ tokens: 150_000, source: "modelsConfig" });
  const capped = of({ models, agents: { defaults: { contextTokens: 12_000 } } });
  expect(capped).toMatchObject({ window: { tokens: 12_000, source: "agentContextTokens" }, guard: { state: "block" } });
});

it("a manual compaction counts, and clears input and output until the next run", () => {
  const manual = {
    ...columns,
    boundaries: { ...columns.boundaries, trigger: Uint8Array.of(1), tokensAfter: Int32Array.of(60) },
  };
  expect(contextStateAt(asked({ columns: manual, request: 2 })).session).toEqual({
    totalTokens: 60,
    contextTokens: 200_000,
    compactionCount: 1,
  });
  expect(contextStateAt(asked({ request: 2 })).session).toMatchObject({ inputTokens: 900, compactionCount: 1 });
});

it("a memory index sync runs five seconds after a threshold and subtracts only the threshold", () => {
  const records = (sizes: readonly number[], gap: number) => {
    const drawn = drawColumns(sizes.map(() => "u1").join(" "));
    let end = 0;
    const fileEnd = Int32Array.from([0, ...sizes.map((size) => (end += size))]);
    const at = Float64Array.from(fileEnd, (_, row) => row * gap);
    return { ...drawn, at, line: fileEnd.map((_, row) => row), measures: { "openclaw.fileEnd": fileEnd } };
  };
  expect(memoryIndexSyncs(records(Array(49).fill(100), 6000))).toEqual([]);
  expect(
    memoryIndexSyncs(records(Array(120).fill(100), 6000)).map(({ line, at, messages }) => [line, at, messages]),
  ).toEqual([
    [50, 50 * 6000 + 5000, 50],
    [100, 100 * 6000 + 5000, 50],
  ]);
  // After one write of 250,000 bytes, the threshold is subtracted a second time only once more is written.
  expect(memoryIndexSyncs(records([250_000, 10, 10], 6000)).map(({ line, bytes }) => [line, bytes])).toEqual([
    [1, 250_000],
    [2, 150_010],
  ]);
  // Within five seconds the records are looked at once.
  expect(memoryIndexSyncs(records([60_000, 60_000], 1000)).map(({ line, at }) => [line, at])).toEqual([[2, 6000]]);
});

it("the report has a breakdown of the window with the guard's levels", () => {
  const tokens = sizeTokenColumn(columns, "bytes-4");
  const question = {
    columns,
    tokens,
    series: recordedSeries({ columns, tokens }),
    simulated: false,
    request: 0,
    window: 20_000,
    trigger: 1000,
    overhead: { categories: [] },
  };
  const levelsOf = (preset: string) =>
    openClawBreakdown.at(question, preset).levels?.map(({ id, tokens: size }) => [id, size]);
  expect(levelsOf("as-documented")).toEqual([
    ["auto", 1000],
    ["warnBelow", 32_000],
    ["blockBelow", 16_000],
  ]);
  expect(levelsOf("current")).toContainEqual(["warnBelow", 8000]);
  const { rows } = openClawBreakdown.at(question, "current");
  expect(rows.reduce((sum, row) => sum + row.tokens, 0)).toBe(20_000);
});

it("the report treats impossible sizes as not recorded", () => {
  const sizes = (value: unknown) => ({
    ...stored,
    systemPrompt: { chars: value, projectContextChars: value, nonProjectContextChars: value },
    injectedWorkspaceFiles: [{ name: "AGENTS.md", injectedChars: value, rawChars: value }],
    skills: { promptChars: value, entries: [{ name: "weather", blockChars: value }] },
    tools: {
      listChars: value,
      schemaChars: value,
      entries: [{ name: "exec", schemaChars: value, propertiesCount: value }],
    },
  });
  for (const value of [-1, 1e300, 2 ** 31, "12", null]) {
    const odd = JSON.stringify({ main: { sessionId: "s", systemPromptReport: sizes(value) } });
    const { prompt: report } = contextStateAt(asked({ companion: odd }));
    const { tools, skills, injectedWorkspaceFiles: files } = report ?? { tools: { listChars: 0 } };
    const found = [tools.listChars, skills?.promptChars, files?.[0]?.injectedChars].filter(
      (size) => size !== undefined,
    );
    expect(found.every((size) => size === 0)).toBe(true);
    expect(overheadOfReport({ ...session, companion: odd })?.categories ?? []).toEqual([]);
  }
});

it("the report has no overhead if its sizes exceed any context", () => {
  const files = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `${index}.md`, injectedChars: 1_000_000_000 }));
  const overhead = (count: number) => {
    const report = { ...stored, systemPrompt: { chars: 10 }, injectedWorkspaceFiles: files(count) };
    const large = JSON.stringify({ main: { sessionId: "s", systemPromptReport: report } });
    return overheadOfReport({ ...session, companion: large });
  };
  expect(overheadTokens(overhead(3) ?? { categories: [] })).toBeGreaterThan(750_000_000);
  expect(overhead(5)).toBeUndefined();
});

it("the report has neither guard nor session window if only a lower bound of the window is known", () => {
  const { session: metrics, guard } = contextStateAt(
    asked({ window: { tokens: 20_000, source: "inferred" }, companion }),
  );
  expect([guard, metrics.contextTokens]).toEqual([undefined, undefined]);
  const { facts, lines } = contextReporter.at(asked({ window: { tokens: 20_000, source: "inferred" } }));
  expect(facts.map(({ id }) => id)).not.toContain("guard");
  expect(lines.slice(0, 3)).toEqual([
    "Window: at least 20,000 tokens (inferred)",
    "Guard: n/a",
    expect.stringContaining("context n/a"),
  ]);
});
