import type { SweepEvent, SweepRequest } from "@/lib/api/contract";
import { sweepPoints } from "@/lib/core/metrics/grid";
import { requireChoice } from "@/lib/questions/session-context";
import { requireEstimator } from "../estimators";
import { isInputError } from "../ingest/input-error";
import type { AppServer } from "../server";
import { type SweepInput, type SweptInput, sweepAll } from "../sweep";
import { isBadChoice } from "./handler";
import { isHttpError } from "./http-error";

/** Progress is told at most this often. */
const PROGRESS_MS = 100;

/**
 * A sweep over sessions as server-sent events, with status 202: progress, the rows of every session, the end. Whoever
 * closes the connection ends the sweep. Throws what is wrong with the request itself.
 */
export function sweepEvents(request: Request, server: AppServer, wanted: SweepRequest): Response {
  const { sessions, ...question } = wanted;
  for (const end of ["from", "to"] as const) requireChoice({ ...wanted, settings: settingsAt(wanted, end) });
  if (wanted.estimator !== undefined) requireEstimator(wanted.estimator);
  const total = sweepPoints(wanted.vary).length * sessions.length;
  const ended = new AbortController();
  request.signal.addEventListener("abort", () => ended.abort(), { once: true });
  let send: Send = () => {};
  const progress = new Progress(total, (event) => send(event));
  const listener = { signal: ended.signal, onReplays: (count: number) => progress.add(count) };
  const inputs: readonly SweepInput[] = sessions.map((id) => ({
    id,
    use: async (work) => {
      const { session, profile } = await server.openWithProfile(id, "background");
      return work(session, profile);
    },
  }));
  const swept = sweepAll(inputs, question, server.background, listener);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      send = sender(controller, ended.signal);
      progress.tell();
    },
    // Asked for more only while the reader keeps up, so that rows nobody takes do not pile up.
    async pull(controller) {
      const next = await swept.next();
      if (ended.signal.aborted) return;
      if (next.done !== true) return send(eventOf(next.value));
      progress.tell();
      send({ type: "end" });
      controller.close();
    },
    cancel() {
      ended.abort();
    },
  });
  const headers = { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" };
  return new Response(body, { status: 202, headers });
}

/** The settings at one end of the ranges. */
function settingsAt({ settings, vary }: SweepRequest, end: "from" | "to") {
  return { ...settings, ...Object.fromEntries(vary.map((range) => [range.key, range[end]])) };
}

type Send = (event: SweepEvent) => void;

function sender(controller: ReadableStreamDefaultController<Uint8Array>, signal: AbortSignal): Send {
  const encoder = new TextEncoder();
  return (event) => {
    if (!signal.aborted) controller.enqueue(encoder.encode(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
  };
}

function eventOf({ id, result }: SweptInput): SweepEvent {
  if (!(result instanceof Error)) return { type: "rows", session: id, rows: result };
  const told = isInputError(result) || isHttpError(result) || isBadChoice(result);
  return { type: "failed", session: id, detail: told ? result.message : "It could not be swept." };
}

class Progress {
  #done = 0;
  #toldAt = 0;

  constructor(
    private readonly total: number,
    private readonly send: Send,
  ) {}

  add(count: number): void {
    this.#done += count;
    if (Date.now() - this.#toldAt >= PROGRESS_MS) this.tell();
  }

  tell(): void {
    this.#toldAt = Date.now();
    this.send({ type: "progress", done: this.#done, total: this.total });
  }
}
