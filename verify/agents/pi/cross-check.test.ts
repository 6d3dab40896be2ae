import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { generatedCheckOf } from "@/verify/support/checked-agent";
import { describeCrossCheck, fixtureGroups, itAgreesOnGeneratedSessions } from "@/verify/support/describe-cross-check";
import { recordingSources, sampledSources } from "@/verify/support/recording-sources";
import { SAMPLED } from "@/verify/support/varied-settings";
import { checked, crossCheck } from "./cross-check";

const recordings = recordingSources().filter(({ name }) => name.startsWith("pi/"));

/** This checks a seeded sample; `npm run verify cross-check` runs the whole check. */
describeCrossCheck(crossCheck, [
  ...fixtureGroups(["pi"], {
    whole: {
      met: {
        "empty answers with the words of a split turn": 5,
        "empty answers with files that were read": 5,
        "empty answers with files that were changed": 1,
      },
    },
    sampled: { compactions: 160 },
  }),
  { name: "recordings", sources: sampledSources(recordings, 1, 3), sampling: SAMPLED },
]);

itAgreesOnGeneratedSessions(generatedCheckOf(checked), { drawings: arbitraryDrawing, sessions: 20, compactions: 200 });
