import { LOADS_LIVE } from "@/lib/core/context/resume";
import { OUTLINES } from "../outlines";
import { type AgentProfile, type Constant, constant } from "../profile";
import {
  BASELINE_TOKENS,
  EFFECTIVE_PERCENT,
  EFFECTIVE_WINDOW_SHARE,
  EMPTY_SUMMARY_TOKENS,
  effectiveWindow,
  HIDDEN_PER_REASONING_TOKEN,
} from "./constants";
import { CODEX_WINDOWS } from "./model-windows";
import { codexPlaces } from "./places";
import { codexPolicy } from "./policy/policy";
import { presetFor } from "./presets";

const code = (what: string) => ({ kind: "code", text: `openai/codex 31d1e4934 (2026-01-30), ${what}` }) as const;

const current = (what: string) => ({ kind: "code", text: `openai/codex main of 2026-08-12, ${what}` }) as const;

export const codex = {
  ...OUTLINES.codex,
  defaultWindow: constant(272_000, "tokens", code("model table and its fallback")),
  modelWindows: CODEX_WINDOWS,
  policyWindow: (recorded) => Math.round(recorded / EFFECTIVE_WINDOW_SHARE),
  effectiveWindow: (window) => effectiveWindow(window, EFFECTIVE_PERCENT),
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
} as const satisfies AgentProfile;
