import type { AgentPlaces } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";

/** Locations of the agent's sessions. Source: cite the document, or the release and file. */
const skeletonPlaces: AgentPlaces = {
  roots: [{ folder: ".skeleton", variables: [{ name: "SKELETON_HOME" }] }],
  files: ["sessions/*.jsonl"],
};

/** Browser profile of the agent. Copy the folder, give every part the agent's name, and fill it in. Its name and estimator are in `../agents.ts`. */
export const profile = {
  defaultWindow: constant(200_000, "tokens", {
    kind: "ours",
    text: "the skeleton is not a program: 200,000 is the window of most models",
  }),
  places: skeletonPlaces,
  /** Add `policy`, `presetFor` and `breakdown` once the agent's compaction is known. */
  constants: {} satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
