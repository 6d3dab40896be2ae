import { isObject } from "@/lib/core/transcript/fields";
import { parsedOr } from "../json";
import { type AgentPlaces, lastParts, type Placed } from "../places";

/**
 * Sessions are `tmp/<project>/chats/session-<minute>-<first eight of the id>.jsonl`, formerly one document `.json`; subagents are in
 * `chats/<session>/<id>.jsonl`. The project's folder is the SHA-256 of its path; from 0.40 on it is a name that `projects.json` and a file in the
 * folder explain. Source: README.md, "Where the files lie"; packages/core, utils/paths (`GEMINI_CLI_HOME` stands for the home folder) and
 * config/projectRegistry; the digest checked on a recording that names its folder.
 */
export const geminiPlaces: AgentPlaces = {
  roots: [{ folder: ".gemini", variables: [{ name: "GEMINI_CLI_HOME", below: ".gemini" }] }],
  files: ["tmp/*/chats/**/*.jsonl", "tmp/*/chats/session-*.json"],
  placed,
  projectNames: {
    marker: ".project_root",
    registry: { file: "../../projects.json", read: projectsOfRegistry },
    digest: "sha256",
  },
};

/** `{ "projects": { path: folder } }`, inverted. Anything else tells nothing. */
function projectsOfRegistry(text: string): ReadonlyMap<string, string> {
  const registry: unknown = parsedOr(text);
  const projects = isObject(registry) && isObject(registry.projects) ? registry.projects : {};
  return new Map(
    Object.entries(projects).flatMap(([project, folder]) => (typeof folder === "string" ? [[folder, project]] : [])),
  );
}

const NAME = /^session-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-[0-9a-f]+\.jsonl?$/;

function placed(path: string): Placed {
  const [before = "", chats = "", parent = "", name = ""] = lastParts(path, 4);
  if (chats === "chats") return { ...folderOf(before), parentSession: parent, agentId: name.replace(/\.jsonl$/, "") };
  const folder = parent === "chats" ? folderOf(chats) : {};
  const [, day, hours, minutes] = NAME.exec(name) ?? [];
  // The name holds UTC, not local time.
  const startedAt = Date.parse(`${day}T${hours}:${minutes}:00Z`);
  return Number.isNaN(startedAt) ? folder : { ...folder, startedAt };
}

function folderOf(name: string): Pick<Placed, "projectFolder"> {
  return name === "" ? {} : { projectFolder: name };
}
