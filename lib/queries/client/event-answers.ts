import { ownTimeZone } from "@/lib/core/base/time-zone";
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
} from "../contract/types";
import { networkError, sendJson, sessionPath, unreadable } from "./requests";

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

/**
 * The data of server-sent events, as they come: one JSON value per event. Bytes may be cut anywhere, even within a character. Rejects with
 * `SyntaxError` where an event does not hold JSON.
 */
export async function* eventsOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  const pending = new PendingEvent();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      for (const event of pending.ended(done ? decoder.decode() : decoder.decode(value, { stream: true }))) {
        const data = dataOf(event);
        if (data !== undefined) yield JSON.parse(data);
      }
      if (done) return;
    }
  } finally {
    // A listener that stops ends the stream.
    await reader.cancel().catch(() => undefined);
  }
}

/** The event whose end has not come yet. An event of megabytes comes in many pieces, which are joined only once, when its end has come. */
class PendingEvent {
  #pieces: string[] = [];

  /** The events that end with this piece. */
  ended(piece: string): readonly string[] {
    if (piece === "") return [];
    const lastCharacter = this.#pieces.at(-1)?.at(-1) ?? "";
    this.#pieces.push(piece);
    if (!`${lastCharacter}${piece}`.includes("\n\n")) return [];
    const events = this.#pieces.join("").split("\n\n");
    this.#pieces = [events.pop() ?? ""];
    return events;
  }
}

/** The data lines of an event; `undefined` for a comment or an event without data. */
function dataOf(event: string): string | undefined {
  const lines = event
    .split("\n")
    .flatMap((line) => (line.startsWith("data:") ? [line.slice(5).replace(/^ /, "")] : []));
  return lines.length === 0 ? undefined : lines.join("\n");
}
