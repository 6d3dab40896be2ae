import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { generatedCheckOf } from "@/verify/support/checked-agent";
import { describeCrossCheck, fixtureGroups, itAgreesOnGeneratedSessions } from "@/verify/support/describe-cross-check";
import { recordingSources } from "@/verify/support/recording-sources";
import { SAMPLED } from "@/verify/support/varied-settings";
import { checked, crossCheck } from "./cross-check";
import { generatedSession } from "./generated-session";

/** This checks a seeded sample; `npm run verify cross-check` runs the whole check. */
describeCrossCheck(crossCheck, [
  ...fixtureGroups(["opencode"], { sampled: { compactions: 60 } }),
  {
    name: "sessions of many calls and outputs",
    sources: [1, 2, 3, 4, 5, 6].map((seed) => ({
      name: `seed ${seed}`,
      bytes: () => generatedSession(seed),
      format: "opencode",
    })),
    sampling: SAMPLED,
    compactions: 40,
  },
  {
    name: "recordings",
    sources: recordingSources().filter(({ name }) => name.startsWith("opencode/")),
    sampling: SAMPLED,
  },
]);

itAgreesOnGeneratedSessions(generatedCheckOf(checked), { drawings: arbitraryDrawing, sessions: 30, compactions: 300 });
