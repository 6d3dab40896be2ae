import { lazy, Suspense, useEffect, useState } from "react";
import { takeFirstVisit } from "./seen";

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
