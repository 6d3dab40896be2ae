import type {
  ContextReport,
  ContextReporter,
  ReportFact,
  ReportQuestion,
  ReportSources,
  ReportTable,
} from "@/lib/agents/shared/server-profile";
import type { Bytes, LineNumber, Milliseconds, Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { type ContextOverhead, overheadTokens } from "@/lib/core/context/context-overhead";
import type { ContextProfile } from "@/lib/core/context/profile";
import { isTokens } from "@/lib/core/transcript/record-numbers";
import { openClawPreset } from "../base/presets";
import { guardState } from "./breakdown";
import { contextReply, jsonReply, type ReplySession } from "./context-reply";
import { configuredBy, guardWindow, type WindowGuard } from "./context-window";
import { reportOfProfile } from "./profile-report";
import type { PromptReport } from "./prompt-report";
import { reportOverhead } from "./report-sizes";
import { type SessionMetrics, sessionMetrics } from "./session-metrics";
import { type IndexedSession, readSessionsIndex } from "./sessions-index";

/** OpenClaw's `/context`, and the facts behind it: window, guard, session metrics, memory index. */
export const contextReporter: ContextReporter = {
  companion: "sessions.json",
  overhead: overheadOfReport,
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
    ...(guard === undefined
      ? []
      : [{ id: "guard", values: { state: { word: guard.state }, warn: guard.warnBelow, block: guard.blockBelow } }]),
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
  const state =
    guard && `${guard.state}; warns below ${count(guard.warnBelow)}, blocks below ${count(guard.blockBelow)}`;
  const metrics = [
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
    `Window: ${guard === undefined ? "at least " : ""}${count(window.tokens)} tokens (${window.source})`,
    `Guard: ${state ?? "n/a"}`,
    `Session: ${metrics.join(", ")}`,
    syncs.length === 0
      ? "Memory index: no sync would have fired"
      : `Memory index: a sync would have fired at ${syncs.join(", ")}`,
  ];
}

/** The number in groups of three digits; `n/a` if unknown. */
function count(value: number | undefined): string {
  return value === undefined ? "n/a" : value.toLocaleString("en-US");
}

/** The report of the system prompt: that of the last run if the store holds one, else one made from a profile; `undefined` without either. */
export function reportOf({ companion, profile, preset, ...session }: ReportSources): PromptReport | undefined {
  const stored = indexedSession(companion, session)?.report;
  if (stored?.source === "run") return stored;
  if (profile !== undefined && hasPrompt(profile)) return reportOfProfile(profile, openClawPreset(preset));
  return stored;
}

/** The same as overhead; `undefined` without a report, or if its sizes sum to more than any context holds. */
export function overheadOfReport(sources: ReportSources): ContextOverhead | undefined {
  const report = reportOf(sources);
  const overhead = report === undefined ? undefined : reportOverhead(report);
  return overhead !== undefined && isTokens(overheadTokens(overhead)) ? overhead : undefined;
}

function hasPrompt({ systemPrompt, tools, skills, memoryFiles }: ContextProfile): boolean {
  return [systemPrompt, tools, skills, memoryFiles].some((part) => part !== undefined);
}

function indexedSession(
  companion: string | undefined,
  { file, sessionId }: Pick<ReportSources, "file" | "sessionId">,
): IndexedSession | undefined {
  if (companion === undefined) return undefined;
  const sessions = readSessionsIndex(companion);
  return sessions.find((one) => one.file === file) ?? sessions.find((one) => one.sessionId === sessionId);
}

/** The window, and the rule, file or part of the configuration that sets it. */
interface ResolvedWindow {
  readonly tokens: Tokens;
  readonly source: string;
}

/** OpenClaw's facts about its context at a request. Source: README.md, "Window", "Prompt report" and "Session store". */
interface ContextState {
  readonly window: ResolvedWindow;
  /** `undefined` if only a lower bound of the window is known. */
  readonly guard:
    | (Pick<WindowGuard, "warnBelow" | "blockBelow"> & { readonly state: "ok" | "warn" | "block" })
    | undefined;
  readonly session: SessionMetrics;
  readonly memorySyncs: readonly IndexSync[];
  readonly prompt?: PromptReport;
  /** The answers to `/context`, by mode; absent without a prompt report. */
  readonly views?: { readonly list: string; readonly detail: string };
  /** The output of `/context json`; its `report` is null if there is no report. */
  readonly json: string;
}

export function contextStateAt(question: ReportQuestion): ContextState {
  const { columns, request, preset } = question;
  const { tokens, source, from } = question.window;
  const isLowerBound = source === "inferred";
  const window = { tokens, source: configuredBy(from) ?? source };
  const guard = isLowerBound ? undefined : guardWindow(tokens, openClawPreset(preset));
  const session = sessionMetrics(columns, request, isLowerBound ? undefined : tokens);
  const prompt = reportOf(question);
  return {
    window,
    guard: guard && { warnBelow: guard.warnBelow, blockBelow: guard.blockBelow, state: guardState(guard) },
    session,
    memorySyncs: memoryIndexSyncs(columns),
    json: jsonReply(prompt ?? null, replySession(session)),
    ...(prompt === undefined ? {} : { prompt, views: viewsOf(prompt, session) }),
  };
}

function replySession({ inputTokens, outputTokens, totalTokens, contextTokens }: SessionMetrics): ReplySession {
  return { inputTokens, outputTokens, totalTokens, contextTokens };
}

function viewsOf(prompt: PromptReport, metrics: SessionMetrics) {
  const session = replySession(metrics);
  return {
    list: contextReply("/context list", prompt, session),
    detail: contextReply("/context detail", prompt, session),
  };
}

/** Thresholds for an update of the memory index. Source: README.md, "Session store". */

const SYNC_BYTES: Bytes = 100_000;
const SYNC_MESSAGES = 50;
const SYNC_DEBOUNCE: Milliseconds = 5_000;

interface IndexSync {
  /** The last line included. */
  readonly line: LineNumber;
  /** Its time; NaN if the records have no time. */
  readonly at: Milliseconds;
  /** Number of pending bytes. */
  readonly bytes: Bytes;
  readonly messages: number;
}

/** A record of the session file: how many bytes of the file end with it, and its line. */
interface Appended {
  readonly end: Bytes;
  readonly line: LineNumber;
  readonly at: Milliseconds;
}

/**
 * Five seconds after a first change, everything written since then is counted: from 100,000 bytes or 50 lines on, the session is synced, and
 * only these thresholds are subtracted from the pending sum.
 */
export function memoryIndexSyncs(columns: SessionColumns): readonly IndexSync[] {
  const syncs: IndexSync[] = [];
  let seen: Appended = { end: 0, line: 0, at: Number.NaN };
  let [bytes, messages] = [0, 0];
  for (const { last, at } of batches(recordsOf(columns))) {
    bytes += last.end - seen.end;
    messages += last.line - seen.line;
    seen = last;
    if (bytes < SYNC_BYTES && messages < SYNC_MESSAGES) continue;
    syncs.push({ line: last.line, at, bytes, messages });
    bytes = Math.max(0, bytes - SYNC_BYTES);
    messages = Math.max(0, messages - SYNC_MESSAGES);
  }
  return syncs;
}

/** Groups records by the moment when they are counted; without times, each record is a group. */
function* batches(records: readonly Appended[]): Generator<{ readonly last: Appended; readonly at: Milliseconds }> {
  let last: Appended | undefined;
  let due = Number.NaN;
  for (const record of records) {
    if (last !== undefined && !(record.at < due)) {
      yield { last, at: due };
      due = Number.NaN;
    }
    if (Number.isNaN(due)) due = record.at + SYNC_DEBOUNCE;
    last = record;
  }
  if (last !== undefined) yield { last, at: due };
}

/** The records in the order of the file, one for each line. */
function recordsOf(columns: SessionColumns): readonly Appended[] {
  const ends = columns.measures["openclaw.fileEnd"];
  const byLine = new Map<LineNumber, Appended>();
  for (let row = columns.overheadRows; row < columns.length; row++) {
    const line = columns.line[row] ?? 0;
    const end = ends?.[row] ?? 0;
    if (end > 0) byLine.set(line, { end, line, at: columns.at[row] ?? Number.NaN });
  }
  return [...byLine.values()].sort((a, b) => a.end - b.end);
}
