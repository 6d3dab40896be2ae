import type { AgentPlaces } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";

/** Logs are written to `logs/` of the folder in which an evaluation runs, or to `INSPECT_LOG_DIR`: none is below the home folder. */
const inspectPlaces: AgentPlaces = { roots: [], files: ["**/*.json", "**/*.eval"], otherNames: /\.eval$/ };

/** Browser profile of Inspect's evaluations, whose agents are written by its users. */
export const profile = {
  defaultWindow: constant(200_000, "tokens", {
    kind: "ours",
    text: "the format records no window: 200,000 is that of most models",
  }),
  places: inspectPlaces,
  constants: {} satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
