import type { AgentPlaces } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";

/**
 * Runs are written to `trajectories/` of the program's own folder, or of the one that `SWE_AGENT_TRAJECTORY_DIR` names: none is below the home
 * folder. Source: sweagent/__init__.py.
 */
const sweAgentPlaces: AgentPlaces = { roots: [], files: ["**/*.traj"], otherNames: /\.traj$/ };

/** Browser profile of SWE-agent. */
export const profile = {
  defaultWindow: constant(200_000, "tokens", {
    kind: "ours",
    text: "the format records no window: 200,000 is that of most models",
  }),
  places: sweAgentPlaces,
  constants: {} satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
