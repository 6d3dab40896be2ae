import { lazy, Suspense, useEffect, useState } from "react";
import { keptStorage } from "@/components/hooks/kept-storage";

// Most visits are not the first.
const Tour = lazy(async () => ({ default: (await import("./tour")).Tour }));

/** The hints of a first visit, on the first session that a user opens in this browser. */
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

/** Key under which the browser stores that the hints were seen. */
export const TOUR_SEEN = "tour-seen";

/** Stores that the hints were shown. Returns whether to show them: once per browser, and never if that cannot be stored. */
function takeFirstVisit(): boolean {
  if (keptStorage.getItem(TOUR_SEEN) !== null) return false;
  keptStorage.setItem(TOUR_SEEN, "yes");
  return keptStorage.getItem(TOUR_SEEN) !== null;
}
