import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { generatedCheckOf } from "@/verify/support/checked-agent";
import { describeCrossCheck, fixtureGroups, itAgreesOnGeneratedSessions } from "@/verify/support/describe-cross-check";
import { recordingSources, sampledSources } from "@/verify/support/recording-sources";
import { SAMPLED } from "@/verify/support/varied-settings";
import { checked, crossCheck } from "./cross-check";
import { generatedSession } from "./generated-session";

/** This checks a seeded sample; `npm run verify cross-check` runs the whole check. */
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
  // There are no recordings of Qwen Code, so recordings of other agents are used.
  { name: "recordings", sources: sampledSources(recordingSources(), 3, 7, 1_000_000), sampling: SAMPLED },
]);

itAgreesOnGeneratedSessions(generatedCheckOf(checked), { drawings: arbitraryDrawing, sessions: 20, compactions: 150 });
