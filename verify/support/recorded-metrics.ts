import { range, sumOf } from "@/lib/core/base/numbers";
import type { ItemIndex, RequestIndex, Tokens } from "@/lib/core/base/units";
import type { Boundary } from "@/lib/core/transcript/model";
import type { LoadedRecording } from "./loaded-recording";

/**
 * A recording's own data about its context, by the rules of docs/method.md, "Counting". They are written out here over messages, independently of
 * the product's own, which work on columns.
 */
export interface RecordedMetrics {
  /** Input of a request as the provider counted it; absent if it did not. */
  readonly context: (request: RequestIndex) => Tokens | undefined;
  /** Kinds of the boundaries between the request before and this one. */
  readonly boundaries: (request: RequestIndex) => readonly string[];
  /** Rows of the results that the recording's agent cleared before a request. */
  readonly cleared: (request: RequestIndex) => ReadonlySet<ItemIndex>;
  /** The provider's count divided by the estimate; absent with fewer than eight pairs of requests. */
  readonly factor: number | undefined;
}

/** Minimum number of pairs of requests for a calibration. */
const MIN_PAIRS = 8;

export function recordedMetrics(recording: LoadedRecording): RecordedMetrics {
  const { requests, boundaries } = recording.transcript;
  const ends = requests.map(({ message }) => message);
  const context = (request: RequestIndex) => {
    const usage = requests[request]?.usage;
    const sent = sumOf([usage?.input, usage?.cacheRead, usage?.cacheWrite].map((tokens) => Math.max(0, tokens ?? 0)));
    return sent > 0 ? sent : undefined;
  };
  const byRequest = new Map<RequestIndex, Boundary[]>();
  for (const boundary of boundaries) {
    const next = ends.findIndex((end) => end >= boundary.message);
    const request = next < 0 ? ends.length : next;
    byRequest.set(request, [...(byRequest.get(request) ?? []), boundary]);
  }
  const before = (request: RequestIndex) => byRequest.get(request) ?? [];
  const metrics = {
    context,
    boundaries: (request: RequestIndex) => before(request).map(({ kind }) => kind),
    cleared: (request: RequestIndex) =>
      new Set(
        before(request).flatMap(({ clearedCalls }) => clearedCalls.flatMap((call) => resultsOf(recording, call))),
      ),
  };
  return { ...metrics, factor: factorOf(recording, metrics) };
}

function resultsOf({ transcript, rowsOf }: LoadedRecording, call: string): readonly ItemIndex[] {
  return transcript.messages.flatMap(({ blocks }, message) =>
    rowsOf(message).filter((_, block) => blocks[block]?.kind === "tool_result" && blocks[block]?.callId === call),
  );
}

/** Recorded growth divided by estimated growth between neighbouring requests: the median, with each pair weighted by its estimate. */
function factorOf(
  recording: LoadedRecording,
  { context, boundaries }: Pick<RecordedMetrics, "context" | "boundaries">,
): number | undefined {
  const { transcript, rowsOf, tokens } = recording;
  const pairs: { readonly ratio: number; readonly weight: number }[] = [];
  for (const request of range(1, transcript.requests.length)) {
    const [before, after] = [context(request - 1), context(request)];
    if (before === undefined || after === undefined || after <= before || boundaries(request).length > 0) continue;
    const sent = range(transcript.requests[request - 1]?.message ?? 0, transcript.requests[request]?.message ?? 0);
    const estimate = sumOf(sent.flatMap(rowsOf).map((row) => tokens[row] ?? 0));
    if (estimate > 0) pairs.push({ ratio: (after - before) / estimate, weight: estimate });
  }
  if (pairs.length < MIN_PAIRS) return undefined;
  pairs.sort((a, b) => a.ratio - b.ratio);
  const half = sumOf(pairs.map(({ weight }) => weight)) / 2;
  let seen = 0;
  return pairs.find(({ weight }) => {
    seen += weight;
    return seen >= half;
  })?.ratio;
}
