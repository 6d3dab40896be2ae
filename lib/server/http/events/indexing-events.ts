import type { IndexingEvent } from "@/lib/queries/contract/schemas";
import type { AppServer } from "../../server";

/** Interval between checks of progress and folders while a client listens: of watched folders, only changes are checked. */
const POLL_MS = 1000;
/** Interval for a new client: the few files of a first start are read by then. */
const FIRST_POLL_MS = 200;
const FIRST_MS = 3000;
/** Maximum interval between events, so that a dead connection is noticed. */
const HEARTBEAT_MS = 15_000;

/** Server-sent events of the list: progress of reading its files, and changes of the list. */
export function indexingEvents(request: Request, server: AppServer): Response {
  const encoder = new TextEncoder();
  const rate = new IndexingRate();
  let timer: NodeJS.Timeout | undefined;
  let lastSent = "";
  let quietMs = 0;
  const since = performance.now();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const tick = async () => {
        // The list of sources reports unreadable folders.
        await server.listing.lookAround().catch(() => undefined);
        const progress = await server.listing.progress();
        const event: IndexingEvent = { type: "indexing", ...progress, ...rate.take(progress, performance.now()) };
        if (request.signal.aborted) return;
        const text = JSON.stringify(event);
        const pause = performance.now() - since < FIRST_MS ? FIRST_POLL_MS : POLL_MS;
        quietMs = text === lastSent ? quietMs + pause : 0;
        if (text !== lastSent) controller.enqueue(encoder.encode(`event: indexing\ndata: ${text}\n\n`));
        else if (quietMs % HEARTBEAT_MS < pause) controller.enqueue(encoder.encode(": still here\n\n"));
        lastSent = text;
        timer = setTimeout(go, pause);
        timer.unref();
      };
      const go = () => void tick().catch((error: unknown) => controller.error(error));
      request.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
      go();
    },
    cancel() {
      clearTimeout(timer);
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" } });
}

/** The rate covers the last seconds. */
const WINDOW_MS = 10_000;

interface Sample {
  readonly at: number;
  readonly bytesDone: number;
}

/** Reading rate over the last checks. */
export class IndexingRate {
  #samples: Sample[] = [];

  /** Records the amount read by now. @param at the time in milliseconds */
  take(
    { bytesDone, bytesTotal }: Pick<IndexingEvent, "bytesDone" | "bytesTotal">,
    at: number,
  ): Pick<IndexingEvent, "bytesPerSecond" | "secondsLeft"> {
    const last = this.#samples.at(-1);
    // Growing or re-read files reduce the finished amount.
    if (last !== undefined && bytesDone < last.bytesDone) this.#samples = [];
    this.#samples = [...this.#samples.filter((sample) => at - sample.at <= WINDOW_MS), { at, bytesDone }];
    const first = this.#samples[0];
    if (first === undefined || first.at === at || first.bytesDone === bytesDone) {
      return { bytesPerSecond: null, secondsLeft: null };
    }
    const bytesPerSecond = ((bytesDone - first.bytesDone) * 1000) / (at - first.at);
    return { bytesPerSecond, secondsLeft: Math.max(0, bytesTotal - bytesDone) / bytesPerSecond };
  }
}
