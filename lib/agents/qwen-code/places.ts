import { type AgentPlaces, lastParts, type Placed } from "../places";

/**
 * `projects/<project>/chats/<session>.jsonl`; subagents in `projects/<project>/subagents/<session>/agent-<id>.jsonl`.
 * Source: README.md, "Where the files lie".
 */
export const qwenCodePlaces: AgentPlaces = {
  roots: [{ folder: ".qwen", variables: [{ name: "QWEN_RUNTIME_DIR" }, { name: "QWEN_HOME" }] }],
  files: ["projects/*/chats/**/*.jsonl", "projects/*/subagents/*/agent-*.jsonl"],
  projectFolder,
  placed,
};

/** Replaces every UTF-16 unit outside `[A-Za-z0-9]` with a dash. Windows paths, which have drive letters, are put into lower case first. */
function projectFolder(project: string): string {
  const path = /^[A-Za-z]:[\\/]/.test(project) ? project.toLowerCase() : project;
  return path.replace(/[^A-Za-z0-9]/g, "-");
}

function placed(path: string): Placed {
  const [project = "", kind = "", session = "", name = ""] = lastParts(path, 4);
  const id = name.replace(/\.jsonl$/, "");
  const agentId = /^agent-(.+)$/.exec(id)?.[1];
  if (kind === "subagents" && agentId !== undefined) return { agentId, parentSession: session, projectFolder: project };
  return { sessionId: id, ...(session === "chats" ? { projectFolder: kind } : {}) };
}
