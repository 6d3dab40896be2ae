import { useEffect, useState, useSyncExternalStore } from "react";

/**
 * A value once it has not changed for a moment, such as a text when the typing pauses.
 * @param value an object must keep its identity while its content is the same, or it never settles
 * @param first returned until a value has settled
 */
export function useSettled<Value>(value: Value, ms: number, first: Value = value): Value {
  const [settled, setSettled] = useState(first);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

const MINUTE = 60_000;

/** The current time in ms, the same for every component on the page and renewed every minute; 0 on the server. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, minute, () => 0);
}

function subscribe(changed: () => void): () => void {
  const timer = setInterval(changed, MINUTE / 4);
  return () => clearInterval(timer);
}

/** Rounded to whole minutes, because React needs equal snapshots between two changes. */
function minute(): number {
  return Math.ceil(Date.now() / MINUTE) * MINUTE;
}
