import { type AgentPlaces, lastParts, type Placed } from "../places";

/**
 * A session is `sessions/--<project>--/<time>_<session>.jsonl`. `PI_CODING_AGENT_DIR` moves everything, `PI_CODING_AGENT_SESSION_DIR` only the
 * sessions. Source: README.md, "Where sessions lie".
 */
export const piPlaces: AgentPlaces = {
  roots: [
    {
      folder: ".pi/agent/sessions",
      variables: [{ name: "PI_CODING_AGENT_DIR", below: "sessions" }, { name: "PI_CODING_AGENT_SESSION_DIR" }],
    },
  ],
  files: ["**/*.jsonl"],
  projectFolder,
  placed,
};

/** The path without its first separator, with every further `/`, `\` and `:` replaced by a dash, between two dashes on each side. */
function projectFolder(project: string): string {
  return `--${project.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
}

const NAME = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d+)Z_(.+)\.jsonl$/;

function placed(path: string): Placed {
  const [folder = "", name = ""] = lastParts(path, 2);
  const [, day, hours, minutes, seconds, milliseconds, sessionId] = NAME.exec(name) ?? [];
  const startedAt = Date.parse(`${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
  return {
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(Number.isNaN(startedAt) ? {} : { startedAt }),
    ...(/^--.+--$/.test(folder) ? { projectFolder: folder } : {}),
  };
}
