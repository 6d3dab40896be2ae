import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isObject } from "@/lib/agents/shared/json";
import type { Boundary, Message, RequestPoint, Transcript, Usage } from "@/lib/core/transcript/model";

/**
 * Recordings next to the project, and their known values: one JSON row for each file, whose `expected` has the shape of `SessionSummary`. A `null` is
 * not judged, `{ "na": true }` must be absent, `{ "oneOf": [...] }` is any of these. Tests that use them skip if the folder is absent.
 */
const FOLDER = fileURLToPath(new URL("../../../shared/transcripts/", import.meta.url));

/** The reason that a test gives when it skips. */
export const WITHOUT_RECORDINGS = "skipped: no recordings beside the project (../shared/transcripts)";

export interface ExpectedRow {
  readonly path: string;
  readonly file: string;
  readonly expected: Readonly<Record<string, unknown>>;
}

/** The rows of a format, for the files that exist: recordings, and fixtures of other tools. Empty if the folder is absent. */
export function expectedRows(format: string): ExpectedRow[] {
  if (!existsSync(`${FOLDER}expected.jsonl`)) return [];
  return readFileSync(`${FOLDER}expected.jsonl`, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(expectedRow)
    .filter((row) => row.format === format)
    .flatMap(({ file, expected }) => pathsOf(format, file).map((path) => ({ path, file, expected })));
}

function pathsOf(format: string, file: string): string[] {
  return [format, `${format}-fixtures`]
    .map((folder) => `${FOLDER}${folder}/${file}`)
    .filter((path) => existsSync(path));
}

function expectedRow(line: string): { format: string; file: string; expected: Readonly<Record<string, unknown>> } {
  // The file is ours, and these three fields have this shape.
  return JSON.parse(line) as { format: string; file: string; expected: Readonly<Record<string, unknown>> };
}

/** The differences between a transcript and its row, one line for each field; empty if all judged fields agree. */
export function judge(transcript: Transcript, expected: Readonly<Record<string, unknown>>): string[] {
  return compare("", expected, summaryOf(transcript));
}

/** The judged part of `SessionSummary`, computed here independently of the product's own summary. */
function summaryOf(transcript: Transcript): Readonly<Record<string, unknown>> {
  const requests = transcript.requests.filter((point) => contextOf(point) > 0);
  const contexts = requests.map(contextOf);
  const own = transcript.messages.filter((message) => message.recordedOnly !== true);
  return {
    format: transcript.format,
    sessionId: transcript.sessionId ?? null,
    startedAt: isoTime(transcript.startedAt),
    endedAt: isoTime(transcript.endedAt),
    models: [...transcript.models].sort(),
    records: { total: transcript.records.total, damaged: transcript.damaged.length },
    messages: { toolCalls: distinctIds(own, "tool_call"), toolResults: distinctIds(own, "tool_result") },
    requests: requests.length,
    usage: usageSums(requests),
    peakContext: contexts.length === 0 ? null : { tokens: Math.max(...contexts) },
    lastContext: contexts.at(-1) ?? null,
    compactions: transcript.boundaries.filter((boundary) => boundary.kind === "compaction").map(compactionOf),
    sidechains: transcript.sidechains,
  };
}

function contextOf(point: RequestPoint): number {
  const { usage } = point;
  return usage === undefined ? 0 : usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
}

function usageSums(requests: readonly RequestPoint[]): Readonly<Record<string, number | null>> {
  const fields = ["input", "output", "cacheRead", "cacheWrite", "reasoning"] as const;
  return Object.fromEntries(fields.map((field) => [field, usageSum(requests, field)]));
}

function usageSum(requests: readonly RequestPoint[], field: keyof Usage): number | null {
  const values = requests.map((point) => point.usage?.[field]).filter((value) => value !== undefined);
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
}

/** Number of distinct call ids of one kind of block; every block without an id counts for itself. */
function distinctIds(messages: readonly Message[], kind: "tool_call" | "tool_result"): number {
  const blocks = messages.flatMap((message) => message.blocks).filter((block) => block.kind === kind);
  return new Set(blocks.map((block, index) => block.callId ?? index)).size;
}

function compactionOf(boundary: Boundary): Readonly<Record<string, unknown>> {
  return {
    line: boundary.line,
    trigger: boundary.trigger,
    tokensBefore: boundary.tokensBefore ?? null,
    tokensAfter: boundary.tokensAfter ?? null,
  };
}

function isoTime(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}

function compare(name: string, expected: unknown, got: unknown): string[] {
  if (expected === null) return [];
  const options = isObject(expected) ? expected.oneOf : undefined;
  if (Array.isArray(options)) {
    return options.some((option) => compare(name, option, got).length === 0) ? [] : [difference(name, expected, got)];
  }
  if (isObject(expected) && "na" in expected) return (got ?? null) === null ? [] : [difference(name, "nothing", got)];
  if (isObject(expected)) {
    const fields = isObject(got) ? got : {};
    return Object.entries(expected).flatMap(([key, value]) => compare(`${name}.${key}`, value, fields[key]));
  }
  if (name === ".models" && Array.isArray(expected)) return same(name, [...expected].sort(), got);
  if (Array.isArray(expected) && Array.isArray(got) && expected.length === got.length) {
    return expected.flatMap((value, index) => compare(`${name}[${index}]`, value, got[index]));
  }
  if ((name === ".startedAt" || name === ".endedAt") && typeof expected === "string") {
    return same(name, new Date(expected).toISOString(), got);
  }
  return same(name, expected, got);
}

function same(name: string, expected: unknown, got: unknown): string[] {
  return JSON.stringify(expected) === JSON.stringify(got) ? [] : [difference(name, expected, got)];
}

function difference(name: string, expected: unknown, got: unknown): string {
  return `${name.slice(1)}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`;
}
