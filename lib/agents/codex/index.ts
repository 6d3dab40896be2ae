import { LOADS_LIVE } from "@/lib/core/context/resume";
import type { AgentProfile, Constant } from "../profile";
import { BASELINE_TOKENS, EFFECTIVE_WINDOW_SHARE, EMPTY_SUMMARY_TOKENS, HIDDEN_PER_REASONING_TOKEN } from "./constants";
import { codexPlaces } from "./places";
import { codexPolicy } from "./policy/policy";
import { CODEX_PRESETS, presetFor } from "./presets";

const code = (what: string) => ({ kind: "code", text: `openai/codex 31d1e4934 (2026-01-30), ${what}` }) as const;

const current = (what: string) => ({ kind: "code", text: `openai/codex main of 2026-08-12, ${what}` }) as const;

export const codex = {
  id: "codex",
  label: "Codex",
  mark: "Cx",
  estimator: "codex",
  estimatorPresets: CODEX_PRESETS,
  defaultWindow: { value: 272_000, unit: "tokens", source: code("model table and its fallback") },
  policyWindow: (recorded) => Math.round(recorded / EFFECTIVE_WINDOW_SHARE),
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
    emptySummaryTokens: {
      value: EMPTY_SUMMARY_TOKENS,
      unit: "tokens",
      source: code("templates/compact/summary_prefix.md as a user message"),
    },
    effectiveWindowShare: {
      value: EFFECTIVE_WINDOW_SHARE,
      unit: "share",
      source: code("protocol/src/openai_models.rs, effective_context_window_percent"),
    },
    autoCompactShare: {
      value: 0.9,
      unit: "share",
      source: code("protocol/src/openai_models.rs, auto_compact_token_limit"),
    },
    bytesPerToken: { value: 4, unit: "bytes", source: code("core/src/truncate.rs") },
    baselineTokens: {
      value: BASELINE_TOKENS,
      unit: "tokens",
      source: code("protocol/src/protocol.rs, BASELINE_TOKENS"),
    },
    userMessageTokens: {
      value: 20_000,
      unit: "tokens",
      source: code("core/src/compact.rs, COMPACT_USER_MESSAGE_MAX_TOKENS"),
    },
    keptUserTokens: {
      value: 20_000,
      unit: "tokens",
      source: code("core/src/compact.rs, COMPACT_USER_MESSAGE_MAX_TOKENS"),
    },
    retainedTokens: {
      value: 64_000,
      unit: "tokens",
      source: current("core/src/compact_remote_v2.rs, messages that stay beside the encrypted summary"),
    },
    maxAgentMessageTokens: {
      value: 10_000,
      unit: "tokens",
      source: current("core/src/compact_remote_v2.rs, mail of another agent"),
    },
    imageBytes: {
      value: 7373,
      unit: "bytes",
      source: current("core/src/context_manager/history.rs, image that is resized"),
    },
    imagePatch: {
      value: 32,
      unit: "pixels",
      source: current("core/src/context_manager/history.rs, image of the original size"),
    },
    imageMaxPatches: {
      value: 10_000,
      unit: "count",
      source: current("core/src/context_manager/history.rs, image of the original size"),
    },
    imageBytesPerPatch: {
      value: 4,
      unit: "bytes",
      source: current("core/src/context_manager/history.rs, image of the original size"),
    },
    reasoningOverhead: {
      value: 650,
      unit: "bytes",
      source: code("core/src/context_manager/history.rs, estimate of encrypted reasoning"),
    },
    hiddenPerReasoningToken: {
      value: HIDDEN_PER_REASONING_TOKEN,
      unit: "factor",
      source: {
        kind: "ours",
        text: "measured in November 2026 over 384 reasoning items of known length in public recordings; 1.14 to 1.35 by file",
      },
    },
    entryFactor: {
      value: 1.2,
      unit: "factor",
      source: code("core/src/context_manager/history.rs, policy × 1.2 on entry"),
    },
  } satisfies Record<string, Constant>,
} as const satisfies AgentProfile;
