import type { AgentPlaces } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";

/** Where the agent leaves its sessions. Source: the document, or the release and file, that says so. */
const skeletonPlaces: AgentPlaces = {
  roots: [{ folder: ".skeleton", variables: [{ name: "SKELETON_HOME" }] }],
  files: ["sessions/*.jsonl"],
};

/** The agent's browser profile. Copy the folder, give every part the agent's name, and fill it in. What it is called and counted with stands in `../agents.ts`. */
export const profile = {
  defaultWindow: constant(200_000, "tokens", {
    kind: "ours",
    text: "the skeleton is no program: 200,000 is the window of most models",
  }),
  places: skeletonPlaces,
  /** Add `policy`, `presetFor` and `breakdown` once the agent's compaction is known. */
  constants: {} satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
