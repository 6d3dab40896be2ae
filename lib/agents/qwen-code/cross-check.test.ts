import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { drawnCheckOf } from "../testing/checked-agent";
import { describeCrossCheck, fixtureGroups, itAgreesOnDrawnSessions } from "../testing/describe-cross-check";
import { SAMPLED } from "../testing/drawn-settings";
import { drawnSources, recordingSources } from "../testing/recording-sources";
import { checked, crossCheck } from "./testing/cross-check";
import { generatedSession } from "./testing/generated-session";

/** This checks a seeded sample; `npm run bench cross-check` runs the whole check. */
describeCrossCheck(crossCheck, [
  ...fixtureGroups(["qwen-code"], { sampled: { compactions: 40 } }),
  {
    name: "generated sessions",
    sources: Array.from({ length: 5 }, (_, seed) => ({
      name: `generated ${seed}`,
      bytes: () => generatedSession(seed),
      format: "qwen-code",
    })),
    compactions: 150,
    met: {
      "outputs cut as they enter": 15,
      "cleared before: summary": 4,
      "cleared before: failed": 4,
      "pictures cleared that were put back": 4,
    },
  },
  // No recording of Qwen Code's own lies beside the project, so some of the others' are used.
  { name: "recordings", sources: drawnSources(recordingSources(), 3, 7, 1_000_000), draws: SAMPLED },
]);

itAgreesOnDrawnSessions(drawnCheckOf(checked), { drawings: arbitraryDrawing, sessions: 20, compactions: 150 });
