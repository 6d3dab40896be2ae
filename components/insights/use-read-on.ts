import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useIndexing } from "@/components/sessions/use-indexing";
import { SESSIONS_KEY } from "@/components/sessions/use-session-list";

/** How long a sum is shown while files are being read. */
const PAUSE_MS = 2000;

/** Asks for what is shown again while files are being read, and once more when all are. */
export function useReadOn(): void {
  const client = useQueryClient();
  const event = useIndexing(undefined, 0, 0);
  const isReading = event !== undefined && event.done < event.total;
  useEffect(() => {
    if (!isReading) return;
    const again = () => void client.invalidateQueries({ queryKey: SESSIONS_KEY }, { cancelRefetch: false });
    const timer = setInterval(again, PAUSE_MS);
    return () => {
      clearInterval(timer);
      again();
    };
  }, [isReading, client]);
}
