import { arbitraryDrawing } from "@/lib/core/testing/arbitrary";
import { drawnCheckOf } from "../testing/checked-agent";
import { describeCrossCheck, fixtureGroups, itAgreesOnDrawnSessions } from "../testing/describe-cross-check";
import { SAMPLED } from "../testing/drawn-settings";
import { recordingSources } from "../testing/recording-sources";
import { checked, crossCheck } from "./testing/cross-check";
import { drawnSession } from "./testing/drawn-session";

/** This checks a seeded sample; `npm run bench cross-check` runs the whole check. */
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
