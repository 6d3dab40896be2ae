import { keptStorage } from "@/components/hooks/kept-storage";

/** Where the browser keeps that somebody has seen the hints. */
export const TOUR_SEEN = "tour-seen";

/** Notes that the hints were shown. Says whether they may be: once a browser, and never where that cannot be kept. */
export function takeFirstVisit(): boolean {
  if (keptStorage.getItem(TOUR_SEEN) !== null) return false;
  keptStorage.setItem(TOUR_SEEN, "yes");
  return keptStorage.getItem(TOUR_SEEN) !== null;
}
