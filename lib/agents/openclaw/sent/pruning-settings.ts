import type { Milliseconds } from "@/lib/core/base/units";
import {
  CLEARED_PLACEHOLDER,
  HARD_CLEAR_SHARE,
  KEEP_LAST_ASSISTANTS,
  MIN_PRUNABLE_CHARS,
  SOFT_TRIM_CHARS,
  SOFT_TRIM_HEAD_CHARS,
  SOFT_TRIM_SHARE,
  SOFT_TRIM_TAIL_CHARS,
} from "../base/constants";
import type { PruningLimits } from "../policy/pruning";

/** Settings for pruning old tool results in memory. Source: README.md, "Pruning"; openclaw@2026.2.1. */
export interface PruningSettings extends PruningLimits {
  readonly mode: "cache-ttl";
  readonly ttlMs: Milliseconds;
  /** Names and patterns of tools for `prunableTools`, as found in the configuration. */
  readonly tools: unknown;
  readonly hardClear: { readonly enabled: boolean; readonly placeholder: string };
}

export const DEFAULT_PRUNING: PruningSettings = {
  mode: "cache-ttl",
  ttlMs: 300_000,
  keepLastAssistants: KEEP_LAST_ASSISTANTS,
  softTrimRatio: SOFT_TRIM_SHARE,
  hardClearRatio: HARD_CLEAR_SHARE,
  minPrunableToolChars: MIN_PRUNABLE_CHARS,
  tools: {},
  softTrim: { maxChars: SOFT_TRIM_CHARS, headChars: SOFT_TRIM_HEAD_CHARS, tailChars: SOFT_TRIM_TAIL_CHARS },
  hardClear: { enabled: true, placeholder: CLEARED_PLACEHOLDER },
};
