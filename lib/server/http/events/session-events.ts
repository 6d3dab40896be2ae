import type { SessionEvent } from "@/lib/queries/contract/schemas";
import { instant } from "@/lib/queries/wire/instant";
import type { CatalogEntry } from "../../list/files/entries";
import type { AppServer } from "../../server";

/** Interval between checks of the file while a client listens. */
const POLL_MS = 1000;
/** Maximum interval between events, so that a dead connection is noticed. */
const HEARTBEAT_MS = 15_000;

/** A file with a write within this time counts as being written, unless it is an upload, which is complete. */
const LIVE_MS = 60_000;

/** Server-sent events of a session: its file changed, is being written, or the background read more sessions. */
export async function sessionEvents(request: Request, server: AppServer, id: string): Promise<Response> {
  const entry = await server.catalog.get(id);
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  let isOver = request.signal.aborted;
  const end = () => {
    isOver = true;
    clearTimeout(timer);
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const watch = new Watch(server, entry);
      let quietMs = 0;
      const tick = async () => {
        const events = await watch.events();
        if (isOver) return;
        quietMs = events.length > 0 ? 0 : quietMs + POLL_MS;
        const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
        if (text !== "") controller.enqueue(encoder.encode(text));
        else if (quietMs % HEARTBEAT_MS < POLL_MS) controller.enqueue(encoder.encode(": still here\n\n"));
        timer = setTimeout(tick, POLL_MS);
        timer.unref();
      };
      request.signal.addEventListener("abort", end, { once: true });
      void tick();
    },
    cancel: end,
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" } });
}

interface Seen {
  readonly bytes: number;
  readonly mtimeMs: number;
}

class Watch {
  readonly #server: AppServer;
  readonly #entry: CatalogEntry;
  #seen: Seen | undefined;
  #live: boolean | undefined;
  #indexing = "";

  constructor(server: AppServer, entry: CatalogEntry) {
    this.#server = server;
    this.#entry = entry;
    this.#seen = entry.version;
  }

  /** Changes since the last check. */
  async events(): Promise<SessionEvent[]> {
    return [...(await this.#fileEvents()), ...this.#liveEvents(), ...this.#indexingEvents()];
  }

  #liveEvents(): SessionEvent[] {
    const isUpload = this.#entry.kind === "upload";
    const live = !isUpload && this.#seen !== undefined && Date.now() - this.#seen.mtimeMs <= LIVE_MS;
    if (live === this.#live) return [];
    this.#live = live;
    return [{ type: "live", live }];
  }

  async #fileEvents(): Promise<SessionEvent[]> {
    const entry = await this.#server.catalog.get(this.#entry.id).catch(() => undefined); // Any failure counts as gone.
    const before = this.#seen;
    this.#seen = entry?.version;
    if (this.#seen === undefined) return before === undefined ? [] : [{ type: "gone" }];
    if (before?.bytes === this.#seen.bytes && before.mtimeMs === this.#seen.mtimeMs) return [];
    const modifiedAt = instant(this.#seen.mtimeMs);
    return [{ type: "changed", bytes: this.#seen.bytes, modifiedAt }];
  }

  #indexingEvents(): SessionEvent[] {
    const indexing = this.#server.listing.indexing();
    const text = JSON.stringify(indexing);
    if (text === this.#indexing) return [];
    this.#indexing = text;
    return [{ type: "indexing", ...indexing }];
  }
}
