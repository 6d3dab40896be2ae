import { downsample } from "@/lib/core/analysis/downsample";
import { bytesOverFour } from "@/lib/core/base/characters";
import { boundariesOf, type SessionColumns } from "@/lib/core/columns/columns";
import { pointCount } from "@/lib/core/columns/points";
import { countedBySize } from "@/lib/core/columns/token-columns";
import { recordedSeries } from "@/lib/core/context/recorded";
import type { PresetWindowSettings } from "@/lib/core/context/window";
import { BLOCK } from "@/lib/core/transcript/block-list";
import type { Boundary, MessageRows, Transcript } from "@/lib/core/transcript/model";
import { messageTotals, usageTotals } from "@/lib/core/transcript/totals";
import type { SessionSummary, Sparkline } from "@/lib/queries/contract/types";
import { instant } from "@/lib/queries/wire/instant";
import { sessionWindow } from "../session/session-window";

/**
 * The summary of a transcript that `inspect` prints.
 * @param file name without folders
 * @param settings window settings from files around the session's own
 */
export function summarise(transcript: Transcript, file: string, settings?: PresetWindowSettings): SessionSummary {
  const totals = usageTotals(transcript);
  return {
    file,
    format: transcript.format,
    agent: transcript.agent,
    agentVersion: transcript.agentVersion ?? null,
    formatVersion: transcript.formatVersion ?? null,
    sessionId: transcript.sessionId ?? null,
    title: transcript.title ?? null,
    project: transcript.project ?? null,
    branch: transcript.branch ?? null,
    startedAt: instant(transcript.startedAt),
    endedAt: instant(transcript.endedAt),
    models: [...transcript.models],
    contextWindow: sessionWindow(transcript, totals.peak?.tokens, settings),
    records: {
      total: transcript.records.total,
      byType: Object.fromEntries(transcript.records.byType),
      unknown: Object.fromEntries(transcript.records.unknown),
      damaged: [...transcript.damaged],
      damagedTotal: damagedTotal(transcript),
    },
    messages: messageTotals(transcript),
    requests: totals.requests,
    requestsWithoutUsage: transcript.requests.length - totals.requests,
    usage: totals.usage,
    peakContext: totals.peak,
    lastContext: totals.last,
    compactions: compactions(transcript),
    sidechains: transcript.sidechains,
    links: linksOf(transcript),
    problems: transcript.problems.map((problem) => ({
      code: problem.code,
      line: problem.line ?? null,
      detail: problem.detail ?? null,
      count: problem.count,
    })),
  };
}

function linksOf({ links, list, overhead }: Transcript): SessionSummary["links"] {
  const rows = callRows(
    list,
    links.subagents.flatMap(({ callId }) => callId ?? []),
  );
  // The rows of the overhead, including the inferred one, come before the items.
  const itemOf = (callId: string): number | null => {
    const row = rows.get(callId);
    return row === undefined ? null : overhead.length + 1 + row;
  };
  return {
    agentId: links.agentId ?? null,
    parents: [...links.parents],
    subagents: links.subagents.map(({ agentId, callId, isInFile }) => ({
      ...(callId === undefined ? { agentId, callId: null, item: null } : { agentId, callId, item: itemOf(callId) }),
      ...(isInFile === true && { isInFile }),
    })),
  };
}

function callRows({ blocks }: MessageRows, ids: readonly string[]): ReadonlyMap<string, number> {
  const rows = new Map<string, number>();
  const wanted = new Set(ids);
  if (wanted.size === 0) return rows;
  for (let row = 0; row < blocks.length; row++) {
    if (blocks.kind[row] !== BLOCK.tool_call) continue;
    const id = blocks.callIds[blocks.callId[row] ?? -1];
    if (id !== undefined && wanted.has(id) && !rows.has(id)) rows.set(id, row);
  }
  return rows;
}

/** Maximum damaged lines and problems in the API's lists; their counts are complete. The command line prints all of them. */
const LISTED = 100;

/** A summary with short lists, so that a file of a hundred thousand damaged lines is not sent to a page. */
export function withShortLists(summary: SessionSummary): SessionSummary {
  const { records, problems } = summary;
  return {
    ...summary,
    records: { ...records, damaged: records.damaged.slice(0, LISTED) },
    problems: problems.slice(0, LISTED),
  };
}

/** Number of all damaged lines: the transcript lists the first ones, and counts the others by reason. */
function damagedTotal(transcript: Transcript): number {
  const counts = transcript.problems.filter((problem) => problem.code === "damaged-line").map(({ count }) => count);
  return counts.reduce((sum, count) => sum + count, 0);
}

function compactions({ boundaries, list }: Transcript): SessionSummary["compactions"] {
  const summaries = summariesOf(list);
  return boundaries
    .filter((boundary) => boundary.kind === "compaction")
    .map((boundary) => compaction(boundary, summaryTokens(boundary, list, summaries)));
}

function compaction(boundary: Boundary, summaryTokens: number | null): SessionSummary["compactions"][number] {
  return {
    line: boundary.line,
    trigger: boundary.trigger,
    inferredTrigger: boundary.inferredTrigger ?? null,
    tokensBefore: boundary.tokensBefore ?? null,
    tokensAfter: boundary.tokensAfter ?? null,
    summaryTokens,
    summaryLine: boundary.summaryLine ?? null,
    at: instant(boundary.at),
    durationMs: boundary.took ?? null,
    filesIncluded: boundary.filesIncluded === undefined ? null : [...boundary.filesIncluded],
    parentUuid: boundary.parentUuid ?? null,
  };
}

/** Estimate (bytes / 4) of the next summary in the file after a boundary; null if the file holds none, or a masked one without text. */
function summaryTokens(boundary: Boundary, list: MessageRows, summaries: readonly number[]): number | null {
  const message = summaries[firstFrom(summaries, boundary.message)];
  if (message === undefined) return null;
  const sizes = list.blocks.bytes.subarray(list.firstBlock(message), list.firstBlock(message + 1));
  const tokens = sizes.reduce((sum, bytes) => sum + bytesOverFour(bytes), 0);
  return tokens > 0 ? tokens : null;
}

/** Indices of the messages that are summaries, ascending. */
function summariesOf(list: MessageRows): readonly number[] {
  const found: number[] = [];
  for (let message = 0; message < list.length; message++) if (list.origin(message) === "summary") found.push(message);
  return found;
}

/** Index of the first of the ascending values that is at least `value`; the number of values if none is. */
function firstFrom(values: readonly number[], value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Maximum points of a list's sparkline. */
const SPARKLINE_POINTS = 60;

/** The context over the session for a list: shares of the window in thousandths, and the boundaries' positions from 0 to 1. */
export function sparklineOf(columns: SessionColumns, window: number): Sparkline {
  const { context } = recordedSeries(countedBySize(columns, "bytes-4"));
  const points = pointCount(columns);
  const rows = downsample(context, 0, points, SPARKLINE_POINTS);
  return {
    share: Array.from(rows, (row) => Math.round(((context[row] ?? 0) * 1000) / window)),
    boundaries: boundariesOf(columns, "compaction").map((row) => (columns.boundaries.request[row] ?? 0) / points),
  };
}
