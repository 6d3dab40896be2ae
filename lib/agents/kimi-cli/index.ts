import { type AgentPlaces, lastParts, type Placed } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import { LOADS_LIVE } from "@/lib/core/context/resume";
import { KEPT_MESSAGES, RESERVED_TOKENS, TRIGGER_RATIO } from "./base/constants";
import { presetFor } from "./base/presets";
import { kimiPolicy } from "./policy/policy";

/** A session is the folder `sessions/<digest of the project's path>/<session>` with a wire file. Source: README.md, "Where sessions are stored". */
const kimiPlaces: AgentPlaces = {
  roots: [{ folder: ".kimi", variables: [{ name: "KIMI_SHARE_DIR" }] }],
  files: ["sessions/*/*/wire.jsonl"],
  // The session's file has every event of its subagents too.
  repeated: /(?:^|\/)subagents\/[^/]+\/wire\.jsonl$/,
  placed,
};

function placed(path: string): Placed {
  const [folder = "", sessionId = ""] = lastParts(path, 3);
  return {
    ...(sessionId === "" ? {} : { sessionId }),
    ...(/^(?:\w+_)?[0-9a-f]{32}$/.test(folder) ? { projectFolder: folder } : {}),
  };
}

const code = (file: string) => ({ kind: "code", text: `MoonshotAI/kimi-cli 4a550eff (July 2026), ${file}` }) as const;

/** Browser profile of Kimi CLI. */
export const profile = {
  defaultWindow: constant(262_144, "tokens", { kind: "report", text: "max_context_tokens in public wire files" }),
  places: kimiPlaces,
  policy: kimiPolicy,
  summaryCall: { sharesPrefix: () => false, source: code("soul/compaction.py: a prompt of its own") },
  presetFor,
  resume: LOADS_LIVE,
  constants: {
    triggerRatio: constant(TRIGGER_RATIO, "share", code("config.py, compaction_trigger_ratio")),
    reservedTokens: constant(RESERVED_TOKENS, "tokens", code("config.py, reserved_context_size")),
    keptMessages: constant(KEPT_MESSAGES, "count", code("soul/compaction.py, max_preserved_messages")),
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
