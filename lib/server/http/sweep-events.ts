import { setImmediate } from "node:timers/promises";
import type { SweepEvent, SweepRequest } from "@/lib/api/contract";
import { sweepReplays } from "@/lib/core/metrics/grid";
import { requireChoice } from "@/lib/questions/session-context";
import { requireEstimator } from "../estimators";
import { isInputError } from "../ingest/input-error";
import type { AppServer } from "../server";
import { type SweepInput, type SweptInput, sweepAll } from "../sweep";
import { isBadChoice } from "./handler";
import { isHttpError } from "./http-error";

/** How many rows are joined into one text at once. */
const ROWS_AT_ONCE = 250;
/** Progress is sent at most this often. */
const PROGRESS_MS = 100;

/**
 * A sweep over sessions as server-sent events, with status 202: progress, the rows of every session, the end. Closing the connection ends the sweep.
 * Throws if the request itself is wrong.
 */
export function sweepEvents(request: Request, server: AppServer, wanted: SweepRequest): Response {
  const { sessions, ...question } = wanted;
  for (const end of ["from", "to"] as const) requireChoice({ ...wanted, settings: settingsAt(wanted, end) });
  if (wanted.estimator !== undefined) requireEstimator(wanted.estimator);
  const total = sweepReplays(wanted.vary, sessions.length);
  const ended = new AbortController();
  request.signal.addEventListener("abort", () => ended.abort(), { once: true });
  const progress = new Progress(total);
  const listener = { signal: ended.signal, onReplays: (count: number) => progress.add(count) };
  const inputs: readonly SweepInput[] = sessions.map((id) => ({
    id,
    use: async (work) => {
      const { session, profile } = await server.openWithProfile(id, "background");
      return work(session, profile);
    },
  }));
  const swept = sweepAll(inputs, question, server.background, listener);
  const headers = { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" };
  return new Response(streamOf(swept, progress, ended), { status: 202, headers });
}

/** The events of a sweep as bytes. The sweep is asked for more only while the reader keeps up, so that rows nobody takes do not pile up. */
function streamOf(
  swept: AsyncGenerator<SweptInput>,
  progress: Progress,
  ended: AbortController,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      progress.start((event) => write(controller, textOf(event)), ended.signal);
    },
    async pull(controller) {
      const next = await swept.next();
      if (ended.signal.aborted) return;
      if (next.done === true) {
        progress.tell();
        write(controller, textOf({ type: "end" }));
        controller.close();
        return;
      }
      // An event is sent in several parts, so no progress event may come between them.
      progress.hold();
      for (const part of partsOf(next.value)) {
        write(controller, part);
        // Other questions are answered between two parts.
        await setImmediate();
        if (ended.signal.aborted) return;
      }
      progress.goOn();
    },
    cancel() {
      ended.abort();
    },
  });
}

/** The settings at one end of the ranges. */
function settingsAt({ settings, vary }: SweepRequest, end: "from" | "to") {
  return { ...settings, ...Object.fromEntries(vary.map((range) => [range.key, range[end]])) };
}

const ENCODER = new TextEncoder();

function write(controller: ReadableStreamDefaultController<Uint8Array>, text: string): void {
  controller.enqueue(ENCODER.encode(text));
}

function textOf(event: SweepEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

/** What is sent for one recording, in parts if it has many rows: while a part is made, nobody else is answered. */
export function* partsOf({ id, result }: SweptInput): Generator<string> {
  if (result instanceof Error) {
    const told = isInputError(result) || isHttpError(result) || isBadChoice(result);
    return yield textOf({ type: "failed", session: id, detail: told ? result.message : "It could not be swept." });
  }
  const end = "]}\n\n";
  let part = textOf({ type: "rows", session: id, rows: [] }).slice(0, -end.length);
  let rows = 0;
  for (const row of result) {
    part += rows === 0 ? row : `,${row}`;
    rows += 1;
    if (rows % ROWS_AT_ONCE > 0) continue;
    yield part;
    part = "";
  }
  yield `${part}${end}`;
}

/** Sends progress every now and then. */
class Progress {
  #done = 0;
  #toldAt = 0;
  #isHeld = false;
  #send: (event: SweepEvent) => void = () => {};

  constructor(private readonly total: number) {}

  start(send: (event: SweepEvent) => void, signal: AbortSignal): void {
    this.#send = (event) => {
      if (!signal.aborted) send(event);
    };
    this.tell();
  }

  add(count: number): void {
    this.#done += count;
    if (!this.#isHeld && Date.now() - this.#toldAt >= PROGRESS_MS) this.tell();
  }

  tell(): void {
    this.#toldAt = Date.now();
    this.#send({ type: "progress", done: this.#done, total: this.total });
  }

  /** Sends nothing until `goOn` is called. */
  hold(): void {
    this.#isHeld = true;
  }

  goOn(): void {
    this.#isHeld = false;
    this.add(0);
  }
}
