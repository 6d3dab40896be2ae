import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { isIndexing } from "@/components/sessions/all-sessions";
import { useIndexing } from "@/components/sessions/use-indexing";
import { SESSIONS_KEY } from "@/components/sessions/use-session-list";

/** How long a sum is shown while files are being read. */
const PAUSE_MS = 2000;

/**
 * Asks for what is shown again while files are being read, and once more when all are, which may have been so before the server told of it. Whether files may
 * be being read: that is so until the server has told.
 */
export function useReadOn(): boolean {
  const client = useQueryClient();
  const event = useIndexing(undefined, 0, 0);
  const isReading = event !== undefined && isIndexing(event);
  const revision = event?.revision;
  useEffect(() => {
    if (!isReading) return;
    const again = () => void client.invalidateQueries({ queryKey: SESSIONS_KEY }, { cancelRefetch: false });
    const timer = setInterval(again, PAUSE_MS);
    return () => clearInterval(timer);
  }, [isReading, client]);
  useEffect(() => {
    // An answer that is under way may be of an earlier list.
    if (!isReading && revision !== undefined) void client.invalidateQueries({ queryKey: SESSIONS_KEY });
  }, [isReading, revision, client]);
  return event === undefined || (isReading && !event.stopped);
}
