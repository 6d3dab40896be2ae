import type { IndexingEvent } from "@/lib/api/contract";
import type { AppServer } from "../server";
import { IndexingRate } from "./indexing-rate";

/** How often it is looked at progress and folders while someone listens: of folders that are watched, only what has changed is looked at. */
const POLL_MS = 1000;
/** How often for whoever has just come: the few files of a first start are read by then. */
const FIRST_POLL_MS = 200;
const FIRST_MS = 3000;
/** Something is sent at least this often, so that a dead connection is noticed. */
const HEARTBEAT_MS = 15_000;

/** Server-sent events of the list: how far its files are read, and that it has changed. */
export function indexingEvents(request: Request, server: AppServer): Response {
  const encoder = new TextEncoder();
  const rate = new IndexingRate();
  let timer: NodeJS.Timeout | undefined;
  let told = "";
  let quietMs = 0;
  const since = performance.now();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const tick = async () => {
        // A folder that cannot be looked at is told among the sources.
        await server.listing.lookAround().catch(() => undefined);
        const progress = await server.listing.progress();
        const event: IndexingEvent = { type: "indexing", ...progress, ...rate.take(progress, performance.now()) };
        if (request.signal.aborted) return;
        const text = JSON.stringify(event);
        const pause = performance.now() - since < FIRST_MS ? FIRST_POLL_MS : POLL_MS;
        quietMs = text === told ? quietMs + pause : 0;
        if (text !== told) controller.enqueue(encoder.encode(`event: indexing\ndata: ${text}\n\n`));
        else if (quietMs % HEARTBEAT_MS < pause) controller.enqueue(encoder.encode(": still here\n\n"));
        told = text;
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
