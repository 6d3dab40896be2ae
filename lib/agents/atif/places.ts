import type { AgentPlaces } from "../places";

/**
 * Only one program is known to leave trajectories below the home folder: Devin's command line, one for each session. Harbor writes them into the
 * folders of its jobs, which may be anywhere. Source: README.md, "Where sessions lie".
 */
export const atifPlaces: AgentPlaces = {
  roots: [{ folder: ".local/share/devin/cli/transcripts" }],
  files: ["*.json"],
};
