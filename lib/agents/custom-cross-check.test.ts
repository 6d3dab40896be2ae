import fc from "fast-check";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { drawnCheckOf } from "./testing/checked-agent";
import { checked, crossCheck } from "./testing/custom-cross-check";
import { describeCrossCheck, itAgreesOnDrawnSessions } from "./testing/describe-cross-check";
import { SAMPLED } from "./testing/drawn-settings";
import { drawnSources, fixtureSources, recordingSources } from "./testing/recording-sources";

/** This checks a seeded sample; `npm run bench cross-check` runs the whole check. */
describeCrossCheck(crossCheck, [
  { name: "fixtures of every agent", sources: fixtureSources(), draws: SAMPLED },
  { name: "recordings", sources: drawnSources(recordingSources(), 3, 7, 1_000_000), draws: SAMPLED },
]);

/** The same drawings, but typed messages have two or three blocks, of which a compaction may keep some. */
const ofSeveralBlocks = arbitraryDrawing.map((drawing) =>
  drawing.replace(/u(\d+)/g, (_, size) => `u${size}${"+9".repeat(Number(size) % 3)}`),
);

itAgreesOnDrawnSessions(drawnCheckOf(checked), {
  drawings: fc.oneof(arbitraryDrawing, ofSeveralBlocks),
  sessions: 30,
  compactions: 300,
});
