import { LOADS_LIVE } from "@/lib/core/context/resume";
import type { AgentProfile, Constant } from "../profile";
import * as limits from "./constants";
import { opencodePlaces } from "./places";
import { opencodePolicy } from "./policy/policy";
import { presetFor } from "./presets";
import { opencodeBreakdown } from "./report/breakdown";

/** The browser-safe half of opencode. */
export const opencode = {
  id: "opencode",
  label: "opencode",
  mark: "Oc",
  estimator: "opencode",
  defaultWindow: {
    value: 200_000,
    unit: "tokens",
    source: { kind: "ours", text: "the program takes the window from its list of models; 200,000 is that of most" },
  },
  places: opencodePlaces,
  policy: opencodePolicy,
  summaryCall: {
    sharesPrefix: () => false,
    source: { kind: "report", text: "anomalyco/opencode#43249, #25120: no system prompt, no tools, other messages" },
  },
  presetFor,
  breakdown: opencodeBreakdown,
  resume: LOADS_LIVE,
  constants: {
    charsPerToken: { value: limits.CHARS_PER_TOKEN, unit: "chars", source: limits.COUNTING_CODE },
    maxOutputTokens: { value: limits.MAX_OUTPUT_TOKENS, unit: "tokens", source: limits.OVERFLOW_CODE },
    reservedTokens: { value: limits.RESERVED_TOKENS, unit: "tokens", source: limits.OVERFLOW_CODE },
    tailTurns: { value: limits.TAIL_TURNS, unit: "count", source: limits.COMPACTION_CODE },
    tailShare: { value: limits.TAIL_SHARE, unit: "share", source: limits.COMPACTION_CODE },
    tailLeast: { value: limits.TAIL_LEAST, unit: "tokens", source: limits.COMPACTION_CODE },
    tailMost: { value: limits.TAIL_MOST, unit: "tokens", source: limits.COMPACTION_CODE },
    pruneProtect: { value: limits.PRUNE_PROTECT, unit: "tokens", source: limits.COMPACTION_CODE },
    pruneMinimum: { value: limits.PRUNE_MINIMUM, unit: "tokens", source: limits.COMPACTION_CODE },
    pruneTurns: { value: limits.PRUNE_TURNS, unit: "count", source: limits.COMPACTION_CODE },
    panelArgumentChars: { value: 16, unit: "chars", source: limits.PANEL_CODE },
    serializedResultChars: { value: 2000, unit: "chars", source: limits.COMPACTION_CODE },
  } satisfies Record<string, Constant>,
} as const satisfies AgentProfile;
