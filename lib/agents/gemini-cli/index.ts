import { parsedOr } from "@/lib/agents/shared/json";
import { type AgentPlaces, lastParts, type Placed } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import { FLAG } from "@/lib/core/columns/columns";
import type { ResumeRule } from "@/lib/core/context/resume";
import { isObject } from "@/lib/core/records/fields";
import * as limits from "./base/constants";
import { presetFor } from "./base/presets";
import { geminiPolicy } from "./policy/policy";

/**
 * A resume loads the final list of messages, without commands and thoughts: it builds the history from contents and calls alone. `resumedHistory` in
 * `verify/agents/gemini-cli` is the exact rule.
 */
const loadsMessagesButCommands: ResumeRule =
  ({ columns, live, kind }) =>
  (row) =>
    live(row) && kind(row) !== "thinking" && ((columns.flags[row] ?? 0) & FLAG.NOT_RESUMED) === 0;

/**
 * Sessions are `tmp/<project>/chats/session-<minute>-<first eight of the id>.jsonl`, formerly one document `.json`; subagents are in
 * `chats/<session>/<id>.jsonl`. The project's folder is the SHA-256 of its path; from 0.40 on it is a name listed in `projects.json` and in a file in
 * the folder. Source: README.md, "Where sessions are stored"; packages/core, utils/paths (`GEMINI_CLI_HOME` replaces the home folder) and
 * config/projectRegistry; the digest checked on a recording that names its folder.
 */
const geminiPlaces: AgentPlaces = {
  roots: [{ folder: ".gemini", variables: [{ name: "GEMINI_CLI_HOME", below: ".gemini" }] }],
  files: ["tmp/*/chats/**/*.jsonl", "tmp/*/chats/session-*.json"],
  // The id comes from the file's content, and must not lead elsewhere.
  subagents: ({ sessionId = "" }) =>
    /^[\w-]+$/.test(sessionId) ? [{ folder: sessionId, files: /^[^/]+\.jsonl$/, depth: 0 }] : [],
  placed,
  projectNames: {
    marker: ".project_root",
    registry: { file: "../../projects.json", read: projectsOfRegistry },
    digest: "sha256",
  },
};

/** `{ "projects": { path: folder } }`, inverted; empty for anything else. */
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

/** Browser profile of Gemini CLI. */
export const profile = {
  defaultWindow: constant(limits.DEFAULT_WINDOW, "tokens", limits.WINDOW_CODE),
  places: geminiPlaces,
  policy: geminiPolicy,
  summaryCall: {
    sharesPrefix: () => false,
    source: {
      kind: "code",
      text: "google-gemini/gemini-cli, chatCompressionService.ts, August 2026: a system prompt of its own",
    },
  },
  presetFor,
  resume: loadsMessagesButCommands,
  constants: {
    asciiTokens: constant(limits.ASCII_TOKENS, "tokens", limits.COUNTING_CODE),
    otherTokens: constant(limits.OTHER_TOKENS, "tokens", limits.COUNTING_CODE),
    exactChars: constant(limits.EXACT_CHARS, "chars", limits.COUNTING_CODE),
    imageTokens: constant(limits.IMAGE_TOKENS, "tokens", limits.COUNTING_CODE),
    pdfTokens: constant(limits.PDF_TOKENS, "tokens", limits.COUNTING_CODE),
    threshold: constant(limits.THRESHOLD, "share", limits.COMPRESSION_CODE),
    preserve: constant(limits.PRESERVE, "share", limits.COMPRESSION_CODE),
    toolResponseTokens: constant(limits.TOOL_RESPONSE_TOKENS, "tokens", limits.COMPRESSION_CODE),
    outputChars: constant(limits.OUTPUT_CHARS, "chars", limits.TRUNCATION_CODE),
    headShare: constant(limits.HEAD_SHARE, "share", limits.TRUNCATION_CODE),
    maskProtectedTokens: constant(limits.MASK_PROTECTED_TOKENS, "tokens", limits.MASKING_CODE),
    maskMinimumTokens: constant(limits.MASK_MINIMUM_TOKENS, "tokens", limits.MASKING_CODE),
    smallWindow: constant(256_000, "tokens", limits.WINDOW_CODE),
    maskPreviewChars: constant(500, "chars", limits.MASKING_CODE),
    shellPreviewEndLines: constant(10, "lines", limits.MASKING_CODE),
    nestedMaxDepth: constant(3, "count", limits.COUNTING_CODE),
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
