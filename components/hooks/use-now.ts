import { useSyncExternalStore } from "react";

const MINUTE = 60_000;

/** The current time in ms, the same for every reader on the page and renewed every minute; 0 on the server. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, minute, () => 0);
}

function subscribe(changed: () => void): () => void {
  const timer = setInterval(changed, MINUTE / 4);
  return () => clearInterval(timer);
}

/** Rounded to whole minutes: a snapshot has to stay equal between two changes. */
function minute(): number {
  return Math.ceil(Date.now() / MINUTE) * MINUTE;
}
