import { useIsFetching } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { keptStorage } from "@/components/hooks/kept-storage";

// Most visits are not the first.
const Tour = lazy(async () => ({ default: (await import("./tour")).Tour }));

/** Time without any request after which the page counts as loaded. */
const QUIET_MS = 300;

/**
 * The hints of a first visit, on the first session that a user opens in this browser. They wait until the page has loaded its texts and stands still.
 */
export function FirstVisit() {
  const [isFirst, setFirst] = useState(false);
  const isLoading = useIsFetching() > 0;
  const [mayBeFirst, setMayBeFirst] = useState(() => keptStorage.getItem(TOUR_SEEN) === null);
  useEffect(() => {
    if (isLoading || !mayBeFirst) return;
    const timer = setTimeout(() => {
      setMayBeFirst(false);
      setFirst(takeFirstVisit());
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [isLoading, mayBeFirst]);
  if (!isFirst) return null;
  return (
    <Suspense>
      <Tour onLeave={() => setFirst(false)} />
    </Suspense>
  );
}

/** Key under which the browser stores that the hints were seen. */
export const TOUR_SEEN = "tour-seen";

/** Stores that the hints were shown. Returns true if they are to be shown: once per browser, and never if that cannot be stored. */
function takeFirstVisit(): boolean {
  if (keptStorage.getItem(TOUR_SEEN) !== null) return false;
  keptStorage.setItem(TOUR_SEEN, "yes");
  return keptStorage.getItem(TOUR_SEEN) !== null;
}
