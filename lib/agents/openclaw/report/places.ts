import { type AgentPlaces, type FileVariant, type Listed, lastParts, type Placed } from "@/lib/agents/shared/places";
import { readSessionsIndex } from "./sessions-index";

/**
 * Sessions are `agents/<agent>/sessions/<session>.jsonl`, followed by `.reset.<time>` or `.deleted.<time>` once they are archived; later releases
 * keep sessions in a database. Sources: README.md, "Where sessions are stored"; docs.openclaw.ai, help/environment and cli/sessions.
 */
export const openClawPlaces: AgentPlaces = {
  roots: [
    {
      folder: ".openclaw",
      variables: [{ name: "OPENCLAW_STATE_DIR" }, { name: "OPENCLAW_HOME", below: ".openclaw" }],
    },
    { folder: ".clawdbot", variables: [{ name: "CLAWDBOT_STATE_DIR" }] },
    { folder: ".moltbot" },
    { folder: ".moldbot" },
  ],
  files: ["agents/*/sessions/*.jsonl", "agents/*/sessions/*.jsonl.reset.*", "agents/*/sessions/*.jsonl.deleted.*"],
  looksLike: {
    format: "pi",
    path: /(?:^|\/)agents\/[^/]+\/sessions\/[^/]+$|\.jsonl\.(?:reset|deleted)\.[^/]*$/,
    mark: "openclaw.json",
  },
  otherNames: /\.jsonl\.(?:reset|deleted)\.[^/]*$/,
  subagents: () => [{ folder: ".", files: /\.jsonl(?:\.(?:reset|deleted)\.[^/]*)?$/, depth: 0, isShared: true }],
  index: { file: "sessions.json", read: listedSessions },
  stores: [
    {
      file: "agents/*/agent/openclaw-agent.sqlite",
      exportCommand: "openclaw sessions export-trajectory --session-key KEY --workspace .",
    },
  ],
  placed,
};

/** Titles of conversations, and the parent of each. A conversation's file is the one of its present session. */
export function listedSessions(text: string): ReadonlyMap<string, Listed> {
  const sessions = readSessionsIndex(text);
  const byKey = new Map(sessions.map(({ key, sessionId }) => [key, sessionId]));
  return new Map(
    sessions.map(({ file, title, parentKey }) => {
      const parentSession = parentKey === undefined ? undefined : byKey.get(parentKey);
      return [
        file,
        { ...(title === undefined ? {} : { title }), ...(parentSession === undefined ? {} : { parentSession }) },
      ];
    }),
  );
}

const NAME = /^(.+?)(?:-topic-[^.]+)?\.jsonl(?:\.(reset|deleted)\.[^/]*)?$/;

function placed(path: string): Placed {
  const [, sessionId, variant] = NAME.exec(lastParts(path, 1)[0] ?? "") ?? [];
  if (sessionId === undefined) return {};
  return { sessionId, ...(isVariant(variant) ? { variant } : {}) };
}

function isVariant(text: string | undefined): text is FileVariant {
  return text === "reset" || text === "deleted";
}
