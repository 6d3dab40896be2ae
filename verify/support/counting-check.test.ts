import fc from "fast-check";
import { arbitraryClearedDrawing, arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { checkedGenerated, crossCheck } from "./counting-check";
import { describeCrossCheck, itAgreesOnGeneratedSessions } from "./describe-cross-check";
import { fixtureSources, recordingSources, sampledSources } from "./recording-sources";
import { SAMPLED } from "./varied-settings";

/** This checks a seeded sample; `npm run verify cross-check` runs the whole check. */
describeCrossCheck(crossCheck, [
  { name: "fixtures", sources: sampledSources(fixtureSources(), 20, 7), sampling: SAMPLED },
  { name: "recordings", sources: sampledSources(recordingSources(), 3, 7, 1_000_000), sampling: SAMPLED },
]);

itAgreesOnGeneratedSessions(checkedGenerated, {
  drawings: fc.oneof(arbitraryDrawing, arbitraryClearedDrawing),
  sessions: 20,
  sampling: SAMPLED,
  compactions: 250,
});
