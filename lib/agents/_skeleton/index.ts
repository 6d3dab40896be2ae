import type { AgentPlaces } from "../places";
import { type AgentProfile, type Constant, constant } from "../profile";

/** Where the agent leaves its sessions. Source: the document, or the release and file, that says so. */
const skeletonPlaces: AgentPlaces = {
  roots: [{ folder: ".skeleton", variables: [{ name: "SKELETON_HOME" }] }],
  files: ["sessions/*.jsonl"],
};

/** The agent's browser-safe half. Copy the folder, give every part the agent's name, and fill it in. */
export const skeleton = {
  id: "skeleton",
  label: "Skeleton",
  mark: "Sk",
  /** An estimator of the agent's own is written in `estimator.ts` and named in `server.ts`. */
  estimator: "bytes-4",
  hasPolicy: false,
  defaultWindow: constant(200_000, "tokens", {
    kind: "ours",
    text: "the skeleton is no program: 200,000 is the window of most models",
  }),
  places: skeletonPlaces,
  /** Add `policy`, `presetFor` and `breakdown` once the agent's compaction is known. */
  constants: {} satisfies Record<string, Constant>,
} as const satisfies AgentProfile;
