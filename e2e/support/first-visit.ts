import type { BrowserContext } from "@playwright/test";
import { TOUR_SEEN } from "@/components/session/tour/first-visit";

/** Marks the hints of a first visit as seen, in every page that a browser opens. */
export async function notFirstVisit(context: BrowserContext): Promise<void> {
  await context.addInitScript((key) => {
    // A page without an origin has no storage, and shows no hints.
    if (location.protocol !== "about:") localStorage.setItem(key, "yes");
  }, TOUR_SEEN);
}
