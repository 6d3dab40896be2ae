import { type AgentPlaces, lastParts, type Placed } from "../places";

/**
 * A session is `sessions/<year>/<month>/<day>/rollout-<local time>-<thread>.jsonl`; an archived one is in `archived_sessions`, and old ones may
 * be packed. Only the file itself names the project. Source: README.md, "Where the files lie".
 */
export const codexPlaces: AgentPlaces = {
  roots: [{ folder: ".codex", variables: [{ name: "CODEX_HOME" }] }],
  files: ["sessions/**/rollout-*.jsonl", "archived_sessions/**/rollout-*.jsonl"],
  placed,
};

const ROLLOUT = /^rollout-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-([0-9a-f-]+)\.jsonl$/;

function placed(path: string): Placed {
  const [, day, hours, minutes, seconds, sessionId] = ROLLOUT.exec(lastParts(path, 1)[0] ?? "") ?? [];
  if (sessionId === undefined) return {};
  // The name holds the local time, and a time without a zone is parsed as local.
  const startedAt = Date.parse(`${day}T${hours}:${minutes}:${seconds}`);
  return {
    sessionId,
    ...(Number.isNaN(startedAt) ? {} : { startedAt }),
    ...(path.split("/").includes("archived_sessions") ? { variant: "archived" } : {}),
  };
}
