import { type AgentPlaces, lastParts, type Placed } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import type { Milliseconds } from "@/lib/core/base/units";
import { LOADS_LIVE } from "@/lib/core/context/resume";
import type { WindowEntry } from "@/lib/core/prices/windows";
import {
  BASELINE_TOKENS,
  EFFECTIVE_PERCENT,
  EFFECTIVE_WINDOW_SHARE,
  EMPTY_SUMMARY_TOKENS,
  effectiveWindow,
  HIDDEN_PER_REASONING_TOKEN,
} from "./base/constants";
import { presetFor } from "./base/presets";
import { codexPolicy } from "./policy/policy";

/**
 * A session is `sessions/<year>/<month>/<day>/rollout-<local time>-<thread>.jsonl`; an archived one is in `archived_sessions`, and old ones may
 * be packed. Only the file itself names the project. Source: README.md, "Where sessions are stored".
 */
const codexPlaces: AgentPlaces = {
  roots: [{ folder: ".codex", variables: [{ name: "CODEX_HOME" }] }],
  files: ["sessions/**/rollout-*.jsonl", "archived_sessions/**/rollout-*.jsonl"],
  subagents: ({ path, startedAt, endedAt = startedAt }) => {
    const days = startedAt === undefined || endedAt === undefined ? [] : daysBetween(startedAt - DAY, endedAt + DAY);
    const home = homeOf(path);
    const dated = { files: /^rollout-[^/]+\.jsonl$/, days, depth: 0, isShared: true } as const;
    return [
      { folder: ".", files: /\.jsonl$/, depth: 0, isShared: true },
      ...(home === undefined
        ? []
        : [
            ...days.map((day) => ({ ...dated, folder: `${home}/sessions/${day.replaceAll("-", "/")}` })),
            { ...dated, folder: `${home}/archived_sessions` },
          ]),
    ];
  },
  placed,
};

const DAY: Milliseconds = 86_400_000;
/** Maximum number of day folders searched for subagents. A session may be resumed for a long time, and more folders take too long. */
const MAX_DAYS = 400;

/** Days in UTC as `2026-11-30`. Folders have days in local time, which is at most one day off. */
function daysBetween(first: Milliseconds, last: Milliseconds): readonly string[] {
  const count = Math.min(MAX_DAYS, Math.floor(last / DAY) - Math.floor(first / DAY) + 1);
  return Array.from({ length: count }, (_, day) => new Date(first + day * DAY).toISOString().slice(0, 10));
}

/** Codex' folder, relative to that of a session's file; `undefined` if the file was copied elsewhere. */
function homeOf(path: string): string | undefined {
  const folders = lastParts(path, 5).slice(0, 4);
  if (folders.at(-1) === "archived_sessions") return "..";
  return /^sessions\/\d{4}\/\d\d\/\d\d$/.test(folders.join("/")) ? "../../../.." : undefined;
}

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

/** Windows of Codex's own list of models, which are smaller than those of the API. Source: README.md, "Limit and window". */
const CODEX_WINDOWS: readonly WindowEntry[] = [
  {
    ids: [
      ...["gpt-5", "gpt-5-codex", "gpt-5-codex-mini", "gpt-5-mini", "gpt-5-nano"],
      ...["gpt-5.1", "gpt-5.1-codex", "gpt-5.1-codex-max", "gpt-5.1-codex-mini"],
      ...["gpt-5.2", "gpt-5.2-codex", "gpt-5.3-codex", "gpt-5.4", "gpt-5.4-mini", "gpt-5.5"],
      ...["gpt-5.6-sol", "gpt-5.6-terra", "gpt-5.6-luna", "gpt-6-astra", "gpt-6-sol", "gpt-6-luna"],
    ],
    tokens: 272_000,
    source: "openai/codex, codex-rs/models-manager/models.json, openai/codex#33961; @earendil-works/pi-ai 1.5.2",
    seen: "2026-11-28",
  },
  {
    ids: ["gpt-5.3-codex-spark"],
    tokens: 128_000,
    source: "recordings of Codex 0.142.2: an effective window of 121,600, which is 95 % of it",
    seen: "2026-11-28",
  },
  {
    ids: ["gpt-6.1-sol", "gpt-6.1-terra"],
    tokens: 500_000,
    source: "@earendil-works/pi-ai 1.5.2, provider openai-codex",
    seen: "2026-11-28",
  },
];

const code = (what: string) => ({ kind: "code", text: `openai/codex 31d1e4934 (2026-01-30), ${what}` }) as const;

const current = (what: string) => ({ kind: "code", text: `openai/codex main of 2026-08-12, ${what}` }) as const;

export const profile = {
  defaultWindow: constant(272_000, "tokens", code("model table and its fallback")),
  modelWindows: CODEX_WINDOWS,
  policyWindow: (recorded) => Math.round(recorded / EFFECTIVE_WINDOW_SHARE),
  // The minimum of 1 prevents division by a window of 0 tokens.
  effectiveWindow: (window) => Math.max(1, effectiveWindow(window, EFFECTIVE_PERCENT)),
  places: codexPlaces,
  policy: codexPolicy,
  summaryCall: {
    sharesPrefix: ({ remote }) => (remote === true ? undefined : true),
    source: {
      kind: "code",
      text: "openai/codex, codex-rs/core/src/compact.rs: the same instructions and history; 208,640 of 209,950 tokens read in a recording",
    },
  },
  presetFor,
  resume: LOADS_LIVE,
  constants: {
    emptySummaryTokens: constant(
      EMPTY_SUMMARY_TOKENS,
      "tokens",
      code("templates/compact/summary_prefix.md as a user message"),
    ),
    effectiveWindowShare: constant(
      EFFECTIVE_WINDOW_SHARE,
      "share",
      code("protocol/src/openai_models.rs, effective_context_window_percent"),
    ),
    autoCompactShare: constant(0.9, "share", code("protocol/src/openai_models.rs, auto_compact_token_limit")),
    bytesPerToken: constant(4, "bytes", code("core/src/truncate.rs")),
    baselineTokens: constant(BASELINE_TOKENS, "tokens", code("protocol/src/protocol.rs, BASELINE_TOKENS")),
    userMessageTokens: constant(20_000, "tokens", code("core/src/compact.rs, COMPACT_USER_MESSAGE_MAX_TOKENS")),
    keptUserTokens: constant(20_000, "tokens", code("core/src/compact.rs, COMPACT_USER_MESSAGE_MAX_TOKENS")),
    retainedTokens: constant(
      64_000,
      "tokens",
      current("core/src/compact_remote_v2.rs, messages that stay beside the encrypted summary"),
    ),
    maxAgentMessageTokens: constant(10_000, "tokens", current("core/src/compact_remote_v2.rs, mail of another agent")),
    imageBytes: constant(7373, "bytes", current("core/src/context_manager/history.rs, image that is resized")),
    imagePatch: constant(32, "pixels", current("core/src/context_manager/history.rs, image of the original size")),
    imageMaxPatches: constant(
      10_000,
      "count",
      current("core/src/context_manager/history.rs, image of the original size"),
    ),
    imageBytesPerPatch: constant(
      4,
      "bytes",
      current("core/src/context_manager/history.rs, image of the original size"),
    ),
    reasoningOverhead: constant(
      650,
      "bytes",
      code("core/src/context_manager/history.rs, estimate of encrypted reasoning"),
    ),
    hiddenPerReasoningToken: constant(HIDDEN_PER_REASONING_TOKEN, "factor", {
      kind: "ours",
      text: "measured in November 2026 over 384 reasoning items of known length in public recordings; 1.14 to 1.35 by file",
    }),
    entryFactor: constant(1.2, "factor", code("core/src/context_manager/history.rs, policy × 1.2 on entry")),
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
