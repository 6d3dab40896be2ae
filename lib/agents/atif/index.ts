import type { AgentPlaces } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";

/**
 * Only one program is known to write trajectories below the home folder: Devin's command line, one for each session. Harbor writes them into the
 * folders of its jobs, which may be anywhere. Source: README.md, "Where sessions are stored".
 */
const atifPlaces: AgentPlaces = {
  roots: [{ folder: ".local/share/devin/cli/transcripts" }],
  files: ["*.json"],
};

/** Browser profile of trajectories that many agents write, or that were converted from their sessions. */
export const profile = {
  defaultWindow: constant(200_000, "tokens", {
    kind: "ours",
    text: "the format records no window: 200,000 is that of most models",
  }),
  places: atifPlaces,
  constants: {} satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
