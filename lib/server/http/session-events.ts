import { stat } from "node:fs/promises";
import type { SessionEvent } from "@/lib/api/contract";
import { instant } from "@/lib/api/instant";
import type { AppServer } from "../server";

/** How often the file is checked while someone listens. */
const POLL_MS = 2000;
/** Something is sent at least this often, so that a dead connection is noticed. */
const HEARTBEAT_MS = 15_000;

/** Server-sent events of a session: its file has changed, or the background has read more sessions. */
export async function sessionEvents(request: Request, server: AppServer, id: string): Promise<Response> {
  const entry = await server.catalog.get(id);
  const encoder = new TextEncoder();
  let timer: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const watch = new Watch(server, entry.path, entry.version);
      let quietMs = 0;
      const tick = async () => {
        const events = await watch.events();
        if (request.signal.aborted) return;
        quietMs = events.length > 0 ? 0 : quietMs + POLL_MS;
        const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
        if (text !== "") controller.enqueue(encoder.encode(text));
        else if (quietMs % HEARTBEAT_MS < POLL_MS) controller.enqueue(encoder.encode(": still here\n\n"));
        timer = setTimeout(tick, POLL_MS);
        timer.unref();
      };
      request.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
      void tick();
    },
    cancel() {
      clearTimeout(timer);
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" } });
}

interface Seen {
  readonly bytes: number;
  readonly mtimeMs: number;
}

class Watch {
  readonly #server: AppServer;
  readonly #path: string;
  #seen: Seen | undefined;
  #indexing = "";

  constructor(server: AppServer, path: string, seen: Seen) {
    this.#server = server;
    this.#path = path;
    this.#seen = seen;
  }

  /** What has changed since the last check. */
  async events(): Promise<SessionEvent[]> {
    return [...(await this.#fileEvents()), ...this.#indexingEvents()];
  }

  async #fileEvents(): Promise<SessionEvent[]> {
    const info = await stat(this.#path).catch(() => undefined); // Gone, for whatever reason.
    const before = this.#seen;
    this.#seen = info === undefined ? undefined : { bytes: info.size, mtimeMs: info.mtimeMs };
    if (this.#seen === undefined) return before === undefined ? [] : [{ type: "gone" }];
    if (before?.bytes === this.#seen.bytes && before.mtimeMs === this.#seen.mtimeMs) return [];
    const modifiedAt = instant(this.#seen.mtimeMs);
    return [{ type: "changed", bytes: this.#seen.bytes, modifiedAt }];
  }

  #indexingEvents(): SessionEvent[] {
    const indexing = this.#server.indexing();
    const text = JSON.stringify(indexing);
    if (text === this.#indexing) return [];
    this.#indexing = text;
    return [{ type: "indexing", ...indexing }];
  }
}
