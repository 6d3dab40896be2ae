import type { AgentPlaces } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";

/**
 * The command line keeps only its last run in its configuration folder; benchmark runs write one file a task to a folder of the user's choice.
 * Source: src/minisweagent/run/mini.py, `DEFAULT_OUTPUT_FILE`.
 */
const miniPlaces: AgentPlaces = {
  roots: [{ folder: ".config/mini-swe-agent", variables: [{ name: "MSWEA_GLOBAL_CONFIG_DIR" }] }],
  files: ["*.traj.json"],
};

/** Browser profile of mini-swe-agent, which never compacts: a run ends when its context exceeds the window. */
export const profile = {
  defaultWindow: constant(200_000, "tokens", {
    kind: "ours",
    text: "the format records no window: 200,000 is that of most models",
  }),
  places: miniPlaces,
  constants: {} satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
