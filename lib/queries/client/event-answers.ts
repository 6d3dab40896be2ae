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
import { networkError, unreadable } from "./api-error";
import { pathOf, request } from "./client";

/** Reports every `GET /api/indexing` event until the returned function is called. The browser reconnects by itself. */
export function listenToIndexing(onEvent: (event: IndexingEvent) => void): () => void {
  const source = new EventSource(pathOf("indexing", {}));
  source.addEventListener("indexing", ({ data }) => {
    // The contract's tests hold the server to this shape.
    onEvent(JSON.parse(data) as IndexingEvent);
  });
  return () => source.close();
}

/**
 * Requests summaries from the endpoint, and yields events as they arrive. Aborting ends the request to the endpoint too. Rejects with `ApiError`,
 * also if the answer breaks off.
 */
export function makeSummaries(id: string, body: SummaryRequest, signal: AbortSignal): AsyncGenerator<SummaryEvent> {
  return eventsUntil<SummaryEvent>(request("summary", { id, body }, signal), signal, ["end", "failed"]);
}

/**
 * Sweeps over sessions, and reports events as they arrive. Aborting ends the sweep on the server too. Rejects with `ApiError`, also if the answer
 * breaks off: earlier events are incomplete.
 */
export function sweepSessions(body: SweepRequest, signal: AbortSignal): AsyncGenerator<SweepEvent> {
  return eventsUntil<SweepEvent>(request("sweep", { body }, signal), signal, ["end"]);
}

/** Recommends a setting over matching sessions. Aborting ends the work on the server too. Rejects with `ApiError`, as `sweepSessions`. */
export function askAdvice(wanted: AdviceRequest, signal: AbortSignal): AsyncGenerator<AdviceEvent> {
  const body = { ...wanted, tz: ownTimeZone() };
  return eventsUntil<AdviceEvent>(request("advice", { body }, signal), signal, ["answer", "failed"]);
}

/** Compares policies over matching sessions, and yields events as they arrive. */
export function askPolicies(wanted: PoliciesRequest, signal: AbortSignal): AsyncGenerator<PoliciesEvent> {
  const body = { ...wanted, tz: ownTimeZone() };
  return eventsUntil<PoliciesEvent>(request("policies", { body }, signal), signal, ["answer", "failed"]);
}

/** The events of an answer. @param last types of the final event */
async function* eventsUntil<Event extends { readonly type: string }>(
  answer: Promise<Response>,
  signal: AbortSignal,
  last: readonly Event["type"][],
): AsyncGenerator<Event> {
  const { body, status } = await answer;
  let latest: Event | undefined;
  try {
    if (body !== null)
      for await (const event of eventsOf(body)) {
        // The contract's tests hold the server to this shape.
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
 * The data of server-sent events as they arrive: one JSON value per event. Chunks may split anywhere, even within a character. Rejects with
 * `SyntaxError` if an event is not JSON.
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
    // A listener that stops cancels the stream.
    await reader.cancel().catch(() => undefined);
  }
}

/** The incomplete event. An event of megabytes arrives in many chunks, which are joined only once, at its end. */
class PendingEvent {
  #pieces: string[] = [];

  /** The events that end within this chunk. */
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
