import fc from "fast-check";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { generatedCheckOf } from "./checked-agent";
import { checked, crossCheck } from "./custom-cross-check";
import { describeCrossCheck, itAgreesOnGeneratedSessions } from "./describe-cross-check";
import { fixtureSources, recordingSources, sampledSources } from "./recording-sources";
import { SAMPLED } from "./varied-settings";

/** This checks a seeded sample; `npm run verify cross-check` runs the whole check. */
describeCrossCheck(crossCheck, [
  { name: "fixtures of every agent", sources: fixtureSources(), sampling: SAMPLED },
  { name: "recordings", sources: sampledSources(recordingSources(), 3, 7, 1_000_000), sampling: SAMPLED },
]);

/** The same generated cases, but user messages have up to three blocks, and a compaction may keep only some of them. */
const ofSeveralBlocks = arbitraryDrawing.map((drawing) =>
  drawing.replace(/u(\d+)/g, (_, size) => `u${size}${"+9".repeat(Number(size) % 3)}`),
);

itAgreesOnGeneratedSessions(generatedCheckOf(checked), {
  drawings: fc.oneof(arbitraryDrawing, ofSeveralBlocks),
  sessions: 30,
  compactions: 300,
});
