import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { listenToIndexing } from "@/lib/api/event-answers";
import type { IndexingEvent } from "@/lib/api/types";
import { pollPause } from "./all-sessions";
import { SESSIONS_KEY } from "./use-session-list";
import { SOURCES_KEY } from "./use-sessions";

/**
 * How far the server is with reading files, as it tells. What is shown is asked for again while the list is another one.
 * @param shown the revision of the list that is shown
 * @param rows how many rows of it have arrived
 * @param askedAt when they did, in milliseconds
 */
export function useIndexing(shown: number | undefined, rows: number, askedAt: number): IndexingEvent | undefined {
  const client = useQueryClient();
  const [event, setEvent] = useState<IndexingEvent>();
  useEffect(() => listenToIndexing(setEvent), []);
  const isBehind = shown !== undefined && event !== undefined && shown !== event.revision;
  const pause = pollPause(rows);
  useEffect(() => {
    if (!isBehind) return;
    const ask = () => {
      void client.invalidateQueries({ queryKey: SESSIONS_KEY }, { cancelRefetch: false });
      void client.invalidateQueries({ queryKey: SOURCES_KEY }, { cancelRefetch: false });
    };
    // A list that has stood for a while is asked for at once.
    const first = setTimeout(ask, Math.max(0, askedAt + pause - Date.now()));
    const timer = setInterval(ask, pause);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [isBehind, pause, askedAt, client]);
  return event;
}
