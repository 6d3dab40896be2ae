import fc from "fast-check";
import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { drawnCheckOf } from "./testing/checked-agent";
import { checked, crossCheck } from "./testing/custom-cross-check";
import { describeCrossCheck, itAgreesOnDrawnSessions } from "./testing/describe-cross-check";
import { SAMPLED } from "./testing/drawn-settings";
import { drawnSources, fixtureSources, recordingSources } from "./testing/recording-sources";

/** A seeded part of the cross-check; `npm run bench cross-check` makes the whole. */
describeCrossCheck(crossCheck, [
  { name: "fixtures of every agent", sources: fixtureSources(), draws: SAMPLED },
  { name: "recordings", sources: drawnSources(recordingSources(), 3, 7), draws: SAMPLED },
]);

/** The same with typed messages of two and three blocks: a compaction may leave some of them. */
const ofSeveralBlocks = arbitraryDrawing.map((drawing) =>
  drawing.replace(/u(\d+)/g, (_, size) => `u${size}${"+9".repeat(Number(size) % 3)}`),
);

itAgreesOnDrawnSessions(drawnCheckOf(checked), {
  drawings: fc.oneof(arbitraryDrawing, ofSeveralBlocks),
  sessions: 100,
  compactions: 1000,
});
