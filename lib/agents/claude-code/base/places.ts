import { type AgentPlaces, nameOfFile, type Placed } from "@/lib/agents/shared/places";

/**
 * A session is `projects/<project>/<session>.jsonl`. Its subagents are in the same folder as `agent-<id>.jsonl`; later versions put them into
 * `<session>/subagents/` or deeper. Source: README.md, "Where sessions are stored".
 */
export const claudeCodePlaces: AgentPlaces = {
  roots: [
    { folder: ".claude", variables: [{ name: "CLAUDE_CONFIG_DIR", several: true }] },
    { folder: ".config/claude" },
  ],
  files: ["projects/**/*.jsonl"],
  projectFolder: projectSlug,
  subagents: ({ path }) => [
    { folder: nameOfFile(path), files: SUBAGENT, depth: 8 },
    { folder: ".", files: SUBAGENT, depth: 0, isShared: true },
  ],
  compactionCalls: {
    folder: (session) => `${session}/subagents`,
    name: /^agent[-_]acompact.*\.jsonl(?:\.(?:gz|zst|br))?$/i,
  },
  // Source: README.md, "Where sessions are stored".
  deletes: { days: 30, key: "cleanupPeriodDays", file: "settings.json" },
  placed,
};

/** The request for a summary (`acompact`) is not a subagent. */
const SUBAGENT = /(?:^|\/)agent[-_](?!acompact)[^/]+\.jsonl$/;

function placed(path: string): Placed {
  const parts = path.split("/");
  const id = (parts.at(-1) ?? "").replace(/\.jsonl$/, "");
  const folder = parts.at(-2) ?? "";
  const agentId = /^agent[-_](.+)$/.exec(id)?.[1];
  if (agentId === undefined) return { sessionId: id, ...inProject(folder) };
  const session = sessionAbove(parts);
  if (session < 0) return { agentId, ...inProject(folder) };
  return { agentId, parentSession: parts[session] ?? "", ...inProject(parts[session - 1] ?? "") };
}

const SESSION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Index, within a path, of the session folder that holds a subagent's file; −1 if the file is next to the session's. */
function sessionAbove(parts: readonly string[]): number {
  const subagents = parts.lastIndexOf("subagents");
  if (subagents > 0) return subagents - 1;
  return SESSION_ID.test(parts.at(-2) ?? "") ? parts.length - 2 : -1;
}

function inProject(folder: string): Pick<Placed, "projectFolder"> {
  return folder === "" ? {} : { projectFolder: folder };
}

/**
 * Name of the folder below `~/.claude/projects` that holds a project's sessions: every UTF-16 unit outside `[A-Za-z0-9]` becomes a dash. This
 * cannot be reversed, but the records name the folder. Very long paths may be shortened by a rule that is not known. Source:
 * anthropics/claude-code#70076, #45718, #24067.
 */
export function projectSlug(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, "-");
}
