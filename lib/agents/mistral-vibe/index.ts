import { type AgentPlaces, lastParts, type Placed } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import { COMPACT_THRESHOLD, COMPACTION_CODE, CONFIG_CODE, presetFor, USER_MESSAGE_TOKENS } from "./base/presets";
import { vibePolicy } from "./policy/policy";

/**
 * A session is a folder `<prefix>_<day>_<time>_<start of its id>` with `messages.jsonl`; a subagent's folder is in `agents` below it. Source:
 * README.md, "Where sessions are stored".
 */
const vibePlaces: AgentPlaces = {
  roots: [{ folder: ".vibe/logs/session", variables: [{ name: "VIBE_HOME", below: "logs/session" }] }],
  files: ["**/messages.jsonl"],
  subagents: () => [{ folder: "agents", files: /(?:^|\/)messages\.jsonl$/, depth: 8 }],
  placed,
};

const FOLDER = /_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)_([0-9a-f]+)$/i;

function placed(path: string): Placed {
  const [above = "", agents, folder = ""] = lastParts(path, 4);
  const parentSession = agents === "agents" ? FOLDER.exec(above)?.[7] : undefined;
  const [, year, month, day, hours, minutes, seconds, sessionId] = FOLDER.exec(folder) ?? [];
  const startedAt = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  return {
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(Number.isNaN(startedAt) ? {} : { startedAt }),
    ...(parentSession === undefined ? {} : { parentSession }),
  };
}

/** The browser profile of Mistral Vibe. */
export const profile = {
  defaultWindow: constant(200_000, "tokens", {
    kind: "ours",
    text: "the program knows no window: 200,000 is its default auto_compact_threshold",
  }),
  places: vibePlaces,
  policy: vibePolicy,
  // A model for summaries may be configured; by default it is the session's own.
  summaryCall: { sharesPrefix: () => true, source: COMPACTION_CODE },
  presetFor,
  constants: {
    compactThreshold: constant(COMPACT_THRESHOLD, "tokens", CONFIG_CODE),
    userMessageTokens: constant(USER_MESSAGE_TOKENS, "tokens", COMPACTION_CODE),
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
