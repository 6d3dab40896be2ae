import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import type { Replay } from "../compaction/replay";
import { recordedRefetchBoundaries, simulatedRefetchBoundaries } from "./boundaries";
import { refetchesIn } from "./refetch";
import { type ReplayTexts, refetchesOf } from "./replay-index";
import { Sources } from "./sources";

/** Re-fetches after the compactions of a replay: of paths and edits together, and of the edits alone, which needed the exact text. */
export interface Refetched {
  /** Number of re-fetches. */
  readonly count: number;
  /** Tokens of the cheapest items that would bring the content back, each once after a boundary. */
  readonly tokens: Tokens;
  /** The same for the edits alone. */
  readonly sureCount: number;
  readonly sureTokens: Tokens;
  /** Number of re-fetches by the request of the boundary. */
  readonly byRequest: ReadonlyMap<RequestIndex, number>;
}

/**
 * Counts the re-fetches after the compactions of a replay (N3 and N4 of docs/method.md, "Re-fetched content"); `undefined` if the columns hold no
 * index. Computed from the columns alone: no text is read.
 * @param isRecording true if the replay is the recording itself
 * @param from the first request whose compactions count
 */
export function refetchedOf(
  columns: SessionColumns,
  run: Replay,
  isRecording: boolean,
  from: RequestIndex = 0,
): Refetched | undefined {
  const texts = refetchesOf(columns);
  if (texts === undefined) return undefined;
  const known = cache.get(run);
  const refetched =
    known?.lines === texts.lines.value && known.from === from
      ? known.needed
      : countRefetched(columns, texts, run, isRecording, from);
  cache.set(run, { lines: texts.lines.value, from, needed: refetched });
  return refetched;
}

/** Metrics, tables and boundaries of one replay all need the result. */
const cache = new WeakMap<
  Replay,
  { readonly lines: Int32Array; readonly from: RequestIndex; readonly needed: Refetched }
>();

const NOTHING_REFETCHED: Refetched = { count: 0, tokens: 0, sureCount: 0, sureTokens: 0, byRequest: new Map() };

function countRefetched(
  columns: SessionColumns,
  texts: ReplayTexts,
  run: Replay,
  isRecording: boolean,
  from: RequestIndex,
): Refetched {
  const boundaries = isRecording ? recordedRefetchBoundaries(columns) : simulatedRefetchBoundaries(columns, run);
  const all = refetchesIn(columns, texts, boundaries, isRecording);
  const counts = ({ boundary }: { readonly boundary: number }) => (boundaries[boundary]?.request ?? 0) >= from;
  const [paths, edits] = [all.paths.filter(counts), all.edits.filter(counts)];
  if (paths.length + edits.length === 0) return NOTHING_REFETCHED;
  const sources = new Sources(columns, texts, boundaries, run.sizes);
  const byRequest = new Map<RequestIndex, number>();
  for (const { boundary } of [...paths, ...edits]) {
    const request = boundaries[boundary]?.request ?? 0;
    byRequest.set(request, (byRequest.get(request) ?? 0) + 1);
  }
  const fetched = new Set<ItemIndex>(edits.flatMap((refetch) => sources.ofEdit(refetch)));
  const sum = () => [...fetched].reduce((total, row) => total + sources.tokensOf(row), 0);
  const sureTokens = sum();
  for (const refetch of paths) fetched.add(sources.ofPath(refetch));
  return {
    count: paths.length + edits.length,
    tokens: sum(),
    sureCount: edits.length,
    sureTokens,
    byRequest,
  };
}
