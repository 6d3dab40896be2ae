import { ownTimeZone } from "@/lib/core/base/time-zone";
import { eventsOf } from "./event-stream";
import { networkError, sendJson, sessionPath, unreadable } from "./requests";
import type {
  AdviceEvent,
  AdviceRequest,
  IndexingEvent,
  PoliciesEvent,
  PoliciesRequest,
  SummaryEvent,
  SummaryRequest,
  SweepEvent,
  SweepRequest,
} from "./types";

/** Where events of a session come from: see `sessionEvent` of the contract. */
export function sessionEventsPath(id: string): string {
  return `${sessionPath(id)}/events`;
}

/** Tells of every `GET /api/indexing` event until the function that is returned is called. The browser connects again by itself. */
export function listenToIndexing(onEvent: (event: IndexingEvent) => void): () => void {
  const source = new EventSource("/api/indexing");
  source.addEventListener("indexing", ({ data }) => {
    // The contract's own tests hold the server to this shape.
    onEvent(JSON.parse(data) as IndexingEvent);
  });
  return () => source.close();
}

/**
 * Has the endpoint make summaries, reporting events as they come. Aborting ends the endpoint's call too. Rejects with `ApiError`, also where the answer
 * breaks off before its end.
 */
export function makeSummaries(id: string, wanted: SummaryRequest, signal: AbortSignal): AsyncGenerator<SummaryEvent> {
  return postedEvents<SummaryEvent>(`${sessionPath(id)}/summary`, wanted, signal, ["end", "failed"]);
}

/**
 * Sweeps over sessions, reporting events as they come. Aborting ends the sweep on the server too. Rejects with `ApiError`, also where the answer
 * breaks off before the sweep ends: what came until then is incomplete.
 */
export function sweepSessions(wanted: SweepRequest, signal: AbortSignal): AsyncGenerator<SweepEvent> {
  return postedEvents<SweepEvent>("/api/sweeps", wanted, signal, ["end"]);
}

/** Which setting to choose over the sessions that match. Aborting ends the work on the server too. Rejects with `ApiError`, as `sweepSessions`. */
export function askAdvice(wanted: AdviceRequest, signal: AbortSignal): AsyncGenerator<AdviceEvent> {
  return postedEvents<AdviceEvent>("/api/insights/advice", { ...wanted, tz: ownTimeZone() }, signal, [
    "answer",
    "failed",
  ]);
}

/** How policies compare over the sessions that match, likewise. */
export function askPolicies(wanted: PoliciesRequest, signal: AbortSignal): AsyncGenerator<PoliciesEvent> {
  return postedEvents<PoliciesEvent>("/api/insights/policies", { ...wanted, tz: ownTimeZone() }, signal, [
    "answer",
    "failed",
  ]);
}

/** The events that answer a request. @param last the types of which one has to come last */
async function* postedEvents<Event extends { readonly type: string }>(
  path: string,
  wanted: unknown,
  signal: AbortSignal,
  last: readonly Event["type"][],
): AsyncGenerator<Event> {
  const { body, status } = await sendJson(path, "POST", wanted, signal);
  let latest: Event | undefined;
  try {
    if (body !== null)
      for await (const event of eventsOf(body)) {
        // The contract's own tests hold the server to this shape.
        latest = event as Event;
        yield latest;
      }
  } catch (error) {
    if (signal.aborted) throw error;
    throw error instanceof SyntaxError ? unreadable(status) : networkError();
  }
  if (latest === undefined || !last.includes(latest.type)) throw networkError();
}
