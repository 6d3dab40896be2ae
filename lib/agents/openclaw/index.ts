import { type BrowserProfile, type Constant, constant } from "@/lib/agents/shared/profile";
import { LOADS_LIVE } from "@/lib/core/context/resume";
import {
  BLOCK_BELOW_TOKENS,
  CURRENT_BLOCK_BELOW_TOKENS,
  CURRENT_BLOCK_SHARE,
  CURRENT_WARN_BELOW_TOKENS,
  CURRENT_WARN_SHARE,
  EXEC_OUTPUT_CHARS,
  HARD_CLEAR_SHARE,
  KEEP_LAST_ASSISTANTS,
  KEEP_RECENT_TOKENS,
  MAX_HISTORY_SHARE,
  MAX_RESERVE_SHARE,
  MEMORY_FLUSH_TOKENS,
  MIN_PROMPT_SHARE,
  MIN_PROMPT_TOKENS,
  MIN_PRUNABLE_CHARS,
  PRUNING_IMAGE_CHARS,
  PRUNING_TTL_MINUTES,
  READ_OUTPUT_BYTES,
  READ_OUTPUT_LINES,
  RESERVE_TOKENS,
  RESERVE_TOKENS_FLOOR,
  SOFT_TRIM_CHARS,
  SOFT_TRIM_SHARE,
  WARN_BELOW_TOKENS,
} from "./base/constants";
import { presetFor } from "./base/presets";
import { OUTPUT_METRICS } from "./metrics";
import {
  BASE_CHUNK_RATIO,
  MIN_CHUNK_RATIO,
  MIN_MESSAGES_FOR_SPLIT,
  OVERSIZED_SHARE,
  SAFETY_MARGIN,
} from "./policy/chunk-sizes";
import { openClawPolicy } from "./policy/policy";
import { openClawBreakdown } from "./report/breakdown";
import { openClawPlaces } from "./report/places";

const documented = (file: string) =>
  ({ kind: "code", text: `openclaw@2026.2.1 (2026-02-02) with pi-coding-agent@0.51.0, ${file}` }) as const;
const release2026May = (file: string) =>
  ({ kind: "code", text: `openclaw@2026.5.7 (2026-05) with pi@0.73.0, ${file}` }) as const;
const current = (file: string) => ({ kind: "code", text: `openclaw@2026.9.6 (2026-09-23), ${file}` }) as const;

/** The browser profile of OpenClaw. */
export const profile = {
  defaultWindow: constant(200_000, "tokens", documented("agents/defaults, DEFAULT_CONTEXT_TOKENS")),
  refusalsStateWindow: true,
  places: openClawPlaces,
  policy: openClawPolicy,
  summaryCall: { sharesPrefix: () => false, source: { kind: "code", text: "as pi, whose compaction it uses" } },
  presetFor,
  breakdown: openClawBreakdown,
  reportsPrompt: true,
  resume: LOADS_LIVE,
  constants: {
    reserveTokens: constant(RESERVE_TOKENS, "tokens", documented("pi compaction settings")),
    reserveTokensFloor: constant(RESERVE_TOKENS_FLOOR, "tokens", documented("agents/pi-settings")),
    minPromptTokens: constant(MIN_PROMPT_TOKENS, "tokens", release2026May("agents/pi-settings")),
    minPromptShare: constant(MIN_PROMPT_SHARE, "share", release2026May("agents/pi-settings")),
    maxReserveShare: constant(MAX_RESERVE_SHARE, "share", current("agent-compaction-constants")),
    keepRecentTokens: constant(KEEP_RECENT_TOKENS, "tokens", documented("pi compaction settings")),
    memoryFlushTokens: constant(MEMORY_FLUSH_TOKENS, "tokens", documented("auto-reply/memory-flush")),
    maxHistoryShare: constant(MAX_HISTORY_SHARE, "share", documented("agents/compaction")),
    baseChunkRatio: constant(BASE_CHUNK_RATIO, "share", documented("agents/compaction")),
    minChunkRatio: constant(MIN_CHUNK_RATIO, "share", documented("agents/compaction")),
    safetyMargin: constant(SAFETY_MARGIN, "share", documented("agents/compaction, SAFETY_MARGIN")),
    oversizedShare: constant(OVERSIZED_SHARE, "share", documented("agents/compaction")),
    minMessagesForSplit: constant(
      MIN_MESSAGES_FOR_SPLIT,
      "count",
      documented("agents/compaction, minMessagesForSplit"),
    ),
    warnBelow: constant(WARN_BELOW_TOKENS, "tokens", documented("agents/context-window-guard")),
    blockBelow: constant(BLOCK_BELOW_TOKENS, "tokens", documented("agents/context-window-guard")),
    currentWarnBelow: constant(CURRENT_WARN_BELOW_TOKENS, "tokens", current("context-window-guard")),
    currentBlockBelow: constant(CURRENT_BLOCK_BELOW_TOKENS, "tokens", current("context-window-guard")),
    currentWarnShare: constant(CURRENT_WARN_SHARE, "share", current("context-window-guard")),
    currentBlockShare: constant(CURRENT_BLOCK_SHARE, "share", current("context-window-guard")),
    pruningTtl: constant(PRUNING_TTL_MINUTES, "minutes", documented("config/defaults, 1h")),
    keepLastAssistants: constant(KEEP_LAST_ASSISTANTS, "count", documented("context-pruning/settings")),
    softTrimShare: constant(SOFT_TRIM_SHARE, "share", documented("context-pruning/settings")),
    hardClearShare: constant(HARD_CLEAR_SHARE, "share", documented("context-pruning/settings")),
    softTrimChars: constant(SOFT_TRIM_CHARS, "chars", documented("context-pruning/settings")),
    minPrunableChars: constant(MIN_PRUNABLE_CHARS, "chars", documented("context-pruning/settings")),
    pruningImageChars: constant(PRUNING_IMAGE_CHARS, "chars", documented("context-pruning/pruner")),
    execOutputChars: constant(EXEC_OUTPUT_CHARS, "chars", documented("tool exec, output limit")),
    readOutputBytes: constant(READ_OUTPUT_BYTES, "bytes", documented("pi core/tools/truncate, 50 KB")),
    readOutputLines: constant(READ_OUTPUT_LINES, "lines", documented("pi core/tools/truncate")),
    charsPerToken: constant(4, "chars", documented("pi core/compaction, estimateTokens")),
    ...OUTPUT_METRICS,
  } satisfies Record<string, Constant>,
} as const satisfies BrowserProfile;
