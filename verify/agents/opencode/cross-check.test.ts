import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { drawnCheckOf } from "@/verify/support/checked-agent";
import { describeCrossCheck, fixtureGroups, itAgreesOnDrawnSessions } from "@/verify/support/describe-cross-check";
import { SAMPLED } from "@/verify/support/drawn-settings";
import { recordingSources } from "@/verify/support/recording-sources";
import { checked, crossCheck } from "./cross-check";
import { drawnSession } from "./drawn-session";

/** This checks a seeded sample; `npm run verify cross-check` runs the whole check. */
describeCrossCheck(crossCheck, [
  ...fixtureGroups(["opencode"], { sampled: { compactions: 60 } }),
  {
    name: "sessions of many calls and outputs",
    sources: [1, 2, 3, 4, 5, 6].map((seed) => ({
      name: `seed ${seed}`,
      bytes: () => drawnSession(seed),
      format: "opencode",
    })),
    draws: SAMPLED,
    compactions: 40,
  },
  {
    name: "recordings",
    sources: recordingSources().filter(({ name }) => name.startsWith("opencode/")),
    draws: SAMPLED,
  },
]);

itAgreesOnDrawnSessions(drawnCheckOf(checked), { drawings: arbitraryDrawing, sessions: 30, compactions: 300 });
