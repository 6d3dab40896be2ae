import { lazy, Suspense, useEffect, useState } from "react";
import { keptStorage } from "@/components/hooks/kept-storage";

// Most visits are not the first.
const Tour = lazy(async () => ({ default: (await import("./tour")).Tour }));

/** The hints of a first visit, on the first session that somebody opens in this browser. */
export function FirstVisit() {
  const [isFirst, setFirst] = useState(false);
  useEffect(() => {
    if (takeFirstVisit()) setFirst(true);
  }, []);
  if (!isFirst) return null;
  return (
    <Suspense>
      <Tour onLeave={() => setFirst(false)} />
    </Suspense>
  );
}

/** Where the browser keeps that somebody has seen the hints. */
export const TOUR_SEEN = "tour-seen";

/** Notes that the hints were shown. Says whether they may be: once a browser, and never where that cannot be kept. */
function takeFirstVisit(): boolean {
  if (keptStorage.getItem(TOUR_SEEN) !== null) return false;
  keptStorage.setItem(TOUR_SEEN, "yes");
  return keptStorage.getItem(TOUR_SEEN) !== null;
}
