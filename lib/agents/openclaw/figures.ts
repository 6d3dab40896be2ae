import type { Constant } from "../profile";
import { PRESSURE_MARGIN, PRUNING_OTHER_CHARS, SOFT_TRIM_HEAD_CHARS, SOFT_TRIM_TAIL_CHARS } from "./constants";

const documented = (file: string) =>
  ({ kind: "code", text: `openclaw@2026.2.1 (2026-02-02) with pi-coding-agent@0.51.0, ${file}` }) as const;
const current = (file: string) => ({ kind: "code", text: `openclaw@2026.9.6 (2026-09-23), ${file}` }) as const;

/** Figures of the rules that look at content: how results, bootstrap files and reports are cut, and what a prompt is assumed to cost. */
export const OUTPUT_FIGURES = {
  defaultParts: { value: 2, unit: "count", source: documented("agents/compaction") },
  pressureMargin: { value: PRESSURE_MARGIN, unit: "factor", source: current("run/preemptive-compaction") },
  softTrimHeadChars: { value: SOFT_TRIM_HEAD_CHARS, unit: "chars", source: documented("context-pruning/settings") },
  softTrimTailChars: { value: SOFT_TRIM_TAIL_CHARS, unit: "chars", source: documented("context-pruning/settings") },
  pruningOtherChars: { value: PRUNING_OTHER_CHARS, unit: "chars", source: documented("context-pruning/pruner") },
  pruningUnknownArguments: { value: 128, unit: "chars", source: documented("context-pruning/pruner") },
  resultShare: { value: 0.3, unit: "share", source: current("tool-result-truncation, MAX_TOOL_RESULT_CONTEXT_SHARE") },
  aggregateShare: {
    value: 0.5,
    unit: "share",
    source: current("tool-result-truncation, AGGREGATE_TOOL_RESULT_CONTEXT_SHARE"),
  },
  aggregateResults: {
    value: 4,
    unit: "count",
    source: current("tool-result-truncation, PROMPT_TOOL_RESULT_AGGREGATE_CAP_MULTIPLIER"),
  },
  minKeepChars: { value: 2000, unit: "chars", source: current("tool-result-truncation, MIN_KEEP_CHARS") },
  tailShare: { value: 0.3, unit: "share", source: current("tool-result-truncation, end of a cut result") },
  mostTailChars: { value: 4000, unit: "chars", source: current("tool-result-truncation, end of a cut result") },
  lastUnits: {
    value: 2000,
    unit: "chars",
    source: current("tool-result-truncation, where important words are looked for"),
  },
  routeBufferTokens: { value: 512, unit: "tokens", source: current("run/preemptive-compaction") },
  routeMargin: { value: 1.5, unit: "factor", source: current("run/preemptive-compaction") },
  pressureMessageTokens: {
    value: 12,
    unit: "tokens",
    source: current("run/preemptive-compaction, token pressure of messages"),
  },
  pressureBlockTokens: {
    value: 6,
    unit: "tokens",
    source: current("run/preemptive-compaction, token pressure of messages"),
  },
  pressureImageTokens: {
    value: 2000,
    unit: "tokens",
    source: current("run/preemptive-compaction, token pressure of messages"),
  },
  jsonCharsPerToken: {
    value: 3,
    unit: "chars",
    source: current("run/preemptive-compaction, token pressure of messages"),
  },
  resultUnitsPerToken: {
    value: 2,
    unit: "chars",
    source: current("run/preemptive-compaction, token pressure of messages"),
  },
  noJsonTokens: { value: 1, unit: "tokens", source: current("run/preemptive-compaction, token pressure of messages") },
  documentedImageChars: { value: 4800, unit: "chars", source: documented("pi core/compaction, estimateTokens") },
  currentImageChars: { value: 8000, unit: "chars", source: current("estimate of messages") },
  noteChars: { value: 17, unit: "chars", source: current("estimate of messages, note on omitted media") },
  summaryOverheadTokens: { value: 4096, unit: "tokens", source: current("agents/compaction") },
  flushTurnTokens: {
    value: 40,
    unit: "tokens",
    source: documented("prompt and answer of the memory flush, 152 and 8 chars"),
  },
  mostFailures: { value: 8, unit: "count", source: documented("compaction-safeguard") },
  failureMostChars: { value: 240, unit: "chars", source: documented("compaction-safeguard") },
  bootstrapMaxChars: { value: 20_000, unit: "chars", source: documented("helpers/bootstrap") },
  bootstrapTotalChars: { value: 60_000, unit: "chars", source: current("helpers/bootstrap") },
  userFileMaxChars: { value: 4_000, unit: "chars", source: current("helpers/bootstrap") },
  bootstrapHeadShare: { value: 0.7, unit: "share", source: documented("helpers/bootstrap") },
  bootstrapTailShare: { value: 0.2, unit: "share", source: documented("helpers/bootstrap") },
  currentHeadShare: { value: 0.75, unit: "share", source: current("helpers/bootstrap") },
  currentTailShare: { value: 0.25, unit: "share", source: current("helpers/bootstrap") },
  leastFileChars: { value: 64, unit: "chars", source: current("helpers/bootstrap") },
  leastContentChars: { value: 16, unit: "chars", source: current("helpers/bootstrap") },
  bootstrapAttempts: { value: 3, unit: "count", source: current("helpers/bootstrap") },
  agentsHeadShare: { value: 0.45, unit: "share", source: current("helpers/bootstrap, AGENTS.md") },
  agentsTailShare: { value: 0.15, unit: "share", source: current("helpers/bootstrap, AGENTS.md") },
  agentsDigestShare: { value: 0.35, unit: "share", source: current("helpers/bootstrap, AGENTS.md") },
  agentsMostLineChars: { value: 240, unit: "chars", source: current("helpers/bootstrap, AGENTS.md") },
  reportMostTop: { value: 30, unit: "count", source: current("reply to /context") },
  reportMostSkillNames: { value: 20, unit: "count", source: current("reply to /context") },
  reportMostToolNames: { value: 30, unit: "count", source: current("reply to /context") },
  syncBytes: { value: 100_000, unit: "bytes", source: documented("memory index, session delta") },
  syncMessages: { value: 50, unit: "count", source: documented("memory index, session delta") },
  syncDebounce: { value: 5_000, unit: "milliseconds", source: documented("memory index, session delta") },
} satisfies Record<string, Constant>;
