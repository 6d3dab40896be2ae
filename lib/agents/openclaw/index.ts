import { LOADS_LIVE } from "@/lib/core/context/resume";
import type { AgentProfile, Constant } from "../profile";
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
} from "./constants";
import { OUTPUT_FIGURES } from "./figures";
import { openClawPlaces } from "./places";
import {
  BASE_CHUNK_RATIO,
  MIN_CHUNK_RATIO,
  MIN_MESSAGES_FOR_SPLIT,
  OVERSIZED_SHARE,
  SAFETY_MARGIN,
} from "./policy/chunk-sizes";
import { openClawPolicy } from "./policy/policy";
import { OPENCLAW_PRESETS, presetFor } from "./presets";
import { openClawBreakdown } from "./report/breakdown";

const documented = (file: string) =>
  ({ kind: "code", text: `openclaw@2026.2.1 (2026-02-02) with pi-coding-agent@0.51.0, ${file}` }) as const;
const current = (file: string) => ({ kind: "code", text: `openclaw@2026.9.6 (2026-09-23), ${file}` }) as const;

/** The browser-safe half of OpenClaw. */
export const openClaw = {
  id: "openclaw",
  label: "OpenClaw",
  mark: "OC",
  estimator: "openclaw",
  estimatorPresets: OPENCLAW_PRESETS,
  defaultWindow: { value: 200_000, unit: "tokens", source: documented("agents/defaults, DEFAULT_CONTEXT_TOKENS") },
  places: openClawPlaces,
  policy: openClawPolicy,
  summaryCall: { sharesPrefix: () => false, source: { kind: "code", text: "as pi, whose compaction it uses" } },
  presetFor,
  breakdown: openClawBreakdown,
  reportsPrompt: true,
  resume: LOADS_LIVE,
  constants: {
    reserveTokens: { value: RESERVE_TOKENS, unit: "tokens", source: documented("pi compaction settings") },
    reserveTokensFloor: { value: RESERVE_TOKENS_FLOOR, unit: "tokens", source: documented("agents/pi-settings") },
    maxReserveShare: { value: MAX_RESERVE_SHARE, unit: "share", source: current("agent-compaction-constants") },
    keepRecentTokens: { value: KEEP_RECENT_TOKENS, unit: "tokens", source: documented("pi compaction settings") },
    memoryFlushTokens: { value: MEMORY_FLUSH_TOKENS, unit: "tokens", source: documented("auto-reply/memory-flush") },
    maxHistoryShare: { value: MAX_HISTORY_SHARE, unit: "share", source: documented("agents/compaction") },
    baseChunkRatio: { value: BASE_CHUNK_RATIO, unit: "share", source: documented("agents/compaction") },
    minChunkRatio: { value: MIN_CHUNK_RATIO, unit: "share", source: documented("agents/compaction") },
    safetyMargin: { value: SAFETY_MARGIN, unit: "share", source: documented("agents/compaction, SAFETY_MARGIN") },
    oversizedShare: { value: OVERSIZED_SHARE, unit: "share", source: documented("agents/compaction") },
    minMessagesForSplit: {
      value: MIN_MESSAGES_FOR_SPLIT,
      unit: "count",
      source: documented("agents/compaction, minMessagesForSplit"),
    },
    warnBelow: { value: WARN_BELOW_TOKENS, unit: "tokens", source: documented("agents/context-window-guard") },
    blockBelow: { value: BLOCK_BELOW_TOKENS, unit: "tokens", source: documented("agents/context-window-guard") },
    currentWarnBelow: { value: CURRENT_WARN_BELOW_TOKENS, unit: "tokens", source: current("context-window-guard") },
    currentBlockBelow: { value: CURRENT_BLOCK_BELOW_TOKENS, unit: "tokens", source: current("context-window-guard") },
    currentWarnShare: { value: CURRENT_WARN_SHARE, unit: "share", source: current("context-window-guard") },
    currentBlockShare: { value: CURRENT_BLOCK_SHARE, unit: "share", source: current("context-window-guard") },
    pruningTtl: { value: PRUNING_TTL_MINUTES, unit: "minutes", source: documented("config/defaults, 1h") },
    keepLastAssistants: { value: KEEP_LAST_ASSISTANTS, unit: "count", source: documented("context-pruning/settings") },
    softTrimShare: { value: SOFT_TRIM_SHARE, unit: "share", source: documented("context-pruning/settings") },
    hardClearShare: { value: HARD_CLEAR_SHARE, unit: "share", source: documented("context-pruning/settings") },
    softTrimChars: { value: SOFT_TRIM_CHARS, unit: "chars", source: documented("context-pruning/settings") },
    minPrunableChars: { value: MIN_PRUNABLE_CHARS, unit: "chars", source: documented("context-pruning/settings") },
    pruningImageChars: { value: PRUNING_IMAGE_CHARS, unit: "chars", source: documented("context-pruning/pruner") },
    execOutputChars: { value: EXEC_OUTPUT_CHARS, unit: "chars", source: documented("tool exec, output limit") },
    readOutputBytes: { value: READ_OUTPUT_BYTES, unit: "bytes", source: documented("pi core/tools/truncate, 50 KB") },
    readOutputLines: { value: READ_OUTPUT_LINES, unit: "lines", source: documented("pi core/tools/truncate") },
    charsPerToken: { value: 4, unit: "chars", source: documented("pi core/compaction, estimateTokens") },
    ...OUTPUT_FIGURES,
  } satisfies Record<string, Constant>,
} as const satisfies AgentProfile;
