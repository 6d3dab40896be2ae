import type { ContextReport, ContextReporter, ReportFact, ReportTable } from "../../server-half";
import { type ContextState, contextStateAt, standingOfReport } from "./context-state";
import type { PromptReport } from "./prompt-report";

/** OpenClaw's `/context`, and what it is based on but does not show: window, guard, session figures, memory index. */
export const contextReporter: ContextReporter = {
  companion: "sessions.json",
  overhead: standingOfReport,
  at: (question) => toContextReport(contextStateAt(question)),
};

export function toContextReport(state: ContextState): ContextReport {
  const { prompt, views } = state;
  return {
    facts: factsOf(state),
    tables: prompt === undefined ? [] : tablesOf(prompt),
    texts:
      views === undefined
        ? []
        : [
            { id: "list", text: views.list },
            { id: "detail", text: views.detail },
          ],
    json: state.json,
    lines: linesOf(state),
  };
}

function factsOf({ window, guard, session, memorySyncs }: ContextState): readonly ReportFact[] {
  return [
    { id: "window", values: { tokens: window.tokens, source: { word: window.source } } },
    { id: "guard", values: { state: { word: guard.state }, warn: guard.warnBelow, block: guard.blockBelow } },
    { id: "input", values: { tokens: session.inputTokens ?? null } },
    { id: "output", values: { tokens: session.outputTokens ?? null } },
    { id: "total", values: { tokens: session.totalTokens ?? null } },
    { id: "compactions", values: { count: session.compactionCount } },
    {
      id: "memory",
      values: { count: memorySyncs.length, lines: memorySyncs.map(({ line }) => line).join(", ") },
    },
  ];
}

/** Sizes in characters. The parts overlap: files, skills and the tool list are inside the prompt. */
function tablesOf({ systemPrompt, skills, tools, injectedWorkspaceFiles }: PromptReport): readonly ReportTable[] {
  const parts: readonly (readonly [string, number])[] = [
    ["prompt", systemPrompt.chars],
    ["projectContext", systemPrompt.projectContextChars],
    ["skills", skills.promptChars],
    ["toolList", tools.listChars],
    ["toolSchemas", tools.schemaChars],
  ];
  const tables: readonly ReportTable[] = [
    { id: "parts", columns: ["part", "chars"], rows: parts.map(([word, chars]) => [{ word }, chars]) },
    {
      id: "files",
      columns: ["file", "raw", "injected", "state"],
      rows: injectedWorkspaceFiles.map(({ name, rawChars, injectedChars, missing, truncated }) => [
        name,
        rawChars,
        injectedChars,
        { word: missing === true ? "missing" : truncated ? "truncated" : "whole" },
      ]),
    },
    {
      id: "skills",
      columns: ["skill", "chars"],
      rows: skills.entries.map(({ name, blockChars }) => [name, blockChars]),
    },
    {
      id: "tools",
      columns: ["tool", "summary", "schema"],
      rows: tools.entries.map(({ name, summaryChars, schemaChars }) => [name, summaryChars, schemaChars]),
    },
  ];
  return tables.filter(({ rows }) => rows.length > 0);
}

function linesOf({ window, guard, session, memorySyncs }: ContextState): readonly string[] {
  const limits = `warns below ${count(guard.warnBelow)}, blocks below ${count(guard.blockBelow)}`;
  const figures = [
    `input ${count(session.inputTokens)}`,
    `output ${count(session.outputTokens)}`,
    `total ${count(session.totalTokens)}`,
    `context ${count(session.contextTokens)}`,
    `compactions ${count(session.compactionCount)}`,
  ];
  const syncs = memorySyncs.map(
    ({ line, bytes, messages }) => `line ${line} (${count(bytes)} bytes, ${messages} lines pending)`,
  );
  return [
    `Window: ${count(window.tokens)} tokens (${window.source})`,
    `Guard: ${guard.state}; ${limits}`,
    `Session: ${figures.join(", ")}`,
    syncs.length === 0
      ? "Memory index: no sync would have fired"
      : `Memory index: a sync would have fired at ${syncs.join(", ")}`,
  ];
}

/** The number in groups of three digits; `n/a` where it is unknown. */
function count(value: number | undefined): string {
  return value === undefined ? "n/a" : value.toLocaleString("en-US");
}
