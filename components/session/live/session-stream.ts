import { sessionEventsPath } from "@/lib/api/event-answers";
import { isServed } from "@/lib/api/transport";
import type { SessionEvent } from "@/lib/api/types";

/** Takes what the server says of a session's file. */
export interface StreamListener {
  /** The file is another one than before, or may be: the stream has just begun. */
  readonly onChanged: () => void;
  readonly onLive: (live: boolean) => void;
}

/**
 * Listens to a session's events until the returned function is called. A page that is not looked at does not listen: it would only take one of the few
 * connections that the browser has for all pages together.
 */
export function listenTo(id: string, { onChanged, onLive }: StreamListener): () => void {
  if (!isServed()) return () => {};
  let source: EventSource | undefined;
  const stop = () => {
    source?.close();
    source = undefined;
  };
  const follow = () => {
    if (document.hidden) return stop();
    if (source !== undefined) return;
    source = new EventSource(sessionEventsPath(id));
    // The browser connects again by itself; what changed meanwhile is not told.
    source.addEventListener("open", onChanged);
    source.addEventListener("changed", onChanged);
    source.addEventListener("live", ({ data }) => {
      // The contract's own tests hold the server to this shape.
      const event = JSON.parse(data) as SessionEvent;
      if (event.type === "live") onLive(event.live);
    });
  };
  document.addEventListener("visibilitychange", follow);
  follow();
  return () => {
    document.removeEventListener("visibilitychange", follow);
    stop();
  };
}
