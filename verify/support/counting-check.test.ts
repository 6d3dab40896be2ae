import fc from "fast-check";
import { arbitraryClearedDrawing, arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { checkedDrawing, crossCheck } from "./counting-check";
import { describeCrossCheck, itAgreesOnDrawnSessions } from "./describe-cross-check";
import { SAMPLED } from "./drawn-settings";
import { drawnSources, fixtureSources, recordingSources } from "./recording-sources";

/** This checks a seeded sample; `npm run verify cross-check` runs the whole check. */
describeCrossCheck(crossCheck, [
  { name: "fixtures", sources: drawnSources(fixtureSources(), 20, 7), draws: SAMPLED },
  { name: "recordings", sources: drawnSources(recordingSources(), 3, 7, 1_000_000), draws: SAMPLED },
]);

itAgreesOnDrawnSessions(checkedDrawing, {
  drawings: fc.oneof(arbitraryDrawing, arbitraryClearedDrawing),
  sessions: 20,
  draws: SAMPLED,
  compactions: 250,
});
