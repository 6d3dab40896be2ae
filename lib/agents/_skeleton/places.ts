import type { AgentPlaces } from "../places";

/** Where the agent leaves its sessions. Source: the document, or the release and file, that says so. */
export const skeletonPlaces: AgentPlaces = {
  roots: [{ folder: ".skeleton", variables: [{ name: "SKELETON_HOME" }] }],
  files: ["sessions/*.jsonl"],
};
