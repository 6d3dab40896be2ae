import type { ItemIndex, Tokens } from "../../base/units";
import { boundariesOf, ORIGIN, type SessionColumns, TRIGGERS } from "../../columns/columns";
import type { CountedColumns } from "../../columns/counted";
import { recordedMembership } from "../../columns/membership";
import { pointCount } from "../../columns/points";
import { raggedRow } from "../../columns/ragged";
import { lastMeasured, type RecordedSeries, recordedSeries } from "../../context/recorded";
import { settingsWithoutEffect } from "../policy/common-settings";
import type { Policy } from "../policy/policy";
import type { Replay } from "../replay";
import { totalsOf } from "../replay-totals";
import type { SimulatedCompaction } from "../simulation/simulated-compaction";
import { recordedUncached } from "./recorded-uncached";

/** The policy "as recorded": the file's own boundaries and summaries, with the recorded usage. `recordedReplay` replays it. */
export const recordedPolicy: Policy = {
  id: "recorded",
  label: "Recorded",
  presets: ["default"],
  settings: (_preset, context) => settingsWithoutEffect(context),
  summarises: false,
  begin: () => ({ before: () => undefined }),
};

/** True if a policy is the recording itself, without simulation. */
export function isRecordedPolicy({ id }: Pick<Policy, "id">): boolean {
  return id === recordedPolicy.id;
}

/** The recording in the format of a replay: nothing is simulated, and the totals come from the usage. */
export function recordedReplay(recording: CountedColumns, window: Tokens): Replay {
  const { columns, tokens } = recording;
  const series = recordedSeries(recording);
  const uncached = recordedUncached(recording, series);
  const compactions = boundariesOf(columns, "compaction").map((row) =>
    recordedCompaction(recording, series, uncached, row),
  );
  const replay = { ...series, uncached, compactions, followed: pointCount(columns) };
  const totals = totalsOf({ ...replay, summaryCallTokens: 0, window });
  return { ...replay, sizes: tokens, added: [], totals };
}

/** Recounts the requests above another window: no other part of a recorded replay depends on the window. */
export function recordedUnder(replay: Replay, window: Tokens): Replay {
  return { ...replay, totals: totalsOf({ ...replay, summaryCallTokens: 0, window }) };
}

function recordedCompaction(
  recording: CountedColumns,
  { context, estimated }: Pick<RecordedSeries, "context" | "estimated">,
  uncached: Int32Array,
  row: number,
): SimulatedCompaction {
  const { columns } = recording;
  const { boundaries } = columns;
  const request = boundaries.request[row] ?? 0;
  const recordedBefore = boundaries.tokensBefore[row] ?? -1;
  const before = recordedBefore >= 0 ? recordedBefore : (context[lastMeasured(estimated, request - 1)] ?? 0);
  const after = context[Math.min(request, pointCount(columns) - 1)] ?? 0;
  const kept: ItemIndex[] = Array.from(raggedRow(boundaries.kept, row));
  const summary = summaryTokensAt(recording, row);
  return {
    request,
    trigger: recordedTrigger(columns, row),
    outcome: "summary",
    tokensBefore: before,
    tokensAfter: after,
    summaryTokens: summary,
    summaryCallTokens: 0,
    uncached: uncached[request] ?? 0,
    keptItems: kept.length,
    kept,
    truncated: [],
    cleared: [],
    added: [],
    droppedItems: droppedAt(columns, request),
    thrash: false,
    // A context after the last request was never sent, so its size is unknown.
    shrunk: request >= pointCount(columns) || after < before,
  };
}

/** Trigger of a recorded boundary in the terms of a policy; `unknown` if its record states none. */
function recordedTrigger({ boundaries }: SessionColumns, row: number): SimulatedCompaction["trigger"] {
  const trigger = TRIGGERS[boundaries.trigger[row] ?? -1] ?? "unknown";
  return trigger === "auto" ? "threshold" : trigger;
}

/**
 * Estimated tokens of the summary at a recorded boundary. 0 if the file holds no summary, or a masked one: an estimate of the text around the mask
 * would not measure it.
 */
export function summaryTokensAt({ columns, tokens }: CountedColumns, boundary: number): Tokens {
  const from = columns.boundaries.item[boundary] ?? 0;
  const until = columns.boundaries.item[boundary + 1] ?? columns.length;
  let sum = 0;
  for (let row = from; row < until; row++) {
    if (columns.origin[row] === ORIGIN.summary && (columns.bytes[row] ?? 0) > 0) sum += tokens[row] ?? 0;
  }
  return sum;
}

/** Number of items that left the recorded context before a request, including items that this request would have been the first to send. */
function droppedAt(columns: SessionColumns, request: number): number {
  const { dropped } = recordedMembership(columns);
  let count = 0;
  for (let row = columns.overheadRows; row < columns.length; row++) if (dropped[row] === request) count += 1;
  return count;
}
