import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { grow, outdate } from "./grow";
import { listenTo } from "./session-stream";

/** The shortest time between two updates of the page. */
const LEAST_PAUSE_MS = 900;
/** An update is followed by a pause of at least this many times as long as it took to fetch and draw: the page stays free for its reader. */
const PAUSE_FACTOR = 2;

/**
 * Follows a session's file while the page is looked at: what is added to it is added to what the page shows. Returns whether the file is being
 * written.
 */
export function useLive(id: string): boolean {
  const client = useQueryClient();
  const [live, setLive] = useState(false);
  useEffect(() => {
    let isClosed = false;
    let isBehind = false;
    let isRunning = false;
    const catchUp = async (): Promise<void> => {
      isBehind = true;
      if (isRunning) return;
      isRunning = true;
      while (isBehind && !isClosed) {
        isBehind = false;
        const began = performance.now();
        // A failure is told by whatever the reader asks for next; the next change of the file tries again.
        const upToDate = await grow(client, id).catch(() => true);
        await drawn();
        if (!upToDate) isBehind = true;
        await pause(Math.max(LEAST_PAUSE_MS, PAUSE_FACTOR * (performance.now() - began)));
      }
      isRunning = false;
    };
    const stop = listenTo(id, {
      onChanged: () => void catchUp(),
      onLive: (now) => {
        setLive(now);
        if (!now) outdate(client, id, "active");
      },
    });
    return () => {
      isClosed = true;
      stop();
    };
  }, [client, id]);
  return live;
}

/** Resolves when the page has drawn what it was given. */
function drawn(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
