import type { AgentProfile, Constant } from "../profile";
import {
  COMPRESSION_THRESHOLD,
  COMPRESSION_THRESHOLD_CURRENT,
  FALLBACK_RETAIN_SHARE,
  MAX_MESSAGES,
  MAX_OUTPUT_TOKENS,
  MEMORY_KEEP_SHARE,
  MESSAGE_TOKENS,
  QUOTED_CHARS,
  QUOTED_REQUESTS,
  RETAIN_SHARE,
  SHOWN_CHARS,
  THRESHOLD_SHARE,
} from "./constants";
import { clawdcodePlaces } from "./places";
import { clawdcodePolicy } from "./policy/policy";
import { presetFor } from "./presets";
import { loadsTextsBehindBoundary } from "./resume";

const document = (section: string) => ({ kind: "document", text: `ClawdCode, chapter 8, ${section}` }) as const;
const code = (file: string) =>
  ({ kind: "code", text: `kkkhs/ClawdCode 217a013 (v1.8.0), src/context/${file}` }) as const;

/** Source of the sizes of texts that the program itself writes, as its own count measures them. */
const MEASURED = { kind: "code", text: "kkkhs/ClawdCode 217a013 (v1.8.0), its own text under its own count" } as const;

/** The browser-safe half of ClawdCode. */
export const clawdcode = {
  id: "clawdcode",
  label: "ClawdCode",
  mark: "Cl",
  estimator: "clawdcode",
  // Its default model is GPT-4, whatever model the session uses.
  vocabularies: { clawdcode: "cl100k" },
  defaultWindow: { value: 128_000, unit: "tokens", source: document("§8.9 and §8.11, maxContextTokens") },
  places: clawdcodePlaces,
  policy: clawdcodePolicy,
  summaryCall: { sharesPrefix: () => false, source: { kind: "document", text: "README.md, a request of its own" } },
  presetFor,
  resume: loadsTextsBehindBoundary,
  constants: {
    threshold: { value: THRESHOLD_SHARE, unit: "share", source: document("§8.6 and §8.11") },
    compressionThreshold: { value: COMPRESSION_THRESHOLD, unit: "tokens", source: document("§8.4") },
    compressionThresholdCurrent: {
      value: COMPRESSION_THRESHOLD_CURRENT,
      unit: "tokens",
      source: code("ContextManager.ts"),
    },
    maxContextTokensCurrent: { value: 200_000, unit: "tokens", source: code("../slash-commands/builtinCommands.ts") },
    retain: { value: RETAIN_SHARE, unit: "share", source: document("§8.7") },
    fallbackRetain: { value: FALLBACK_RETAIN_SHARE, unit: "share", source: document("§8.8") },
    messageTokens: { value: MESSAGE_TOKENS, unit: "tokens", source: document("§8.6, countTokens") },
    maxOutputTokens: { value: MAX_OUTPUT_TOKENS, unit: "tokens", source: code("TokenCounter.ts, getRemainingTokens") },
    maxFiles: { value: 5, unit: "count", source: document("§8.7, FileAnalyzer") },
    maxLinesPerFile: { value: 1000, unit: "lines", source: document("§8.7, FileAnalyzer") },
    maxCharsPerFile: { value: 50_000, unit: "chars", source: code("FileAnalyzer.ts") },
    maxMessages: { value: MAX_MESSAGES, unit: "count", source: document("§8.5, MemoryStore") },
    /** Declared but never applied: it belongs to `defaultFilter`, as do its 50 messages and 24 hours. */
    filterTokens: { value: 32_000, unit: "tokens", source: document("§8.4, defaultFilter: declared, never applied") },
    memoryKeepShare: { value: MEMORY_KEEP_SHARE, unit: "share", source: document("§8.5, MemoryStore") },
    quotedRequests: { value: QUOTED_REQUESTS, unit: "count", source: document("§8.4, automatic summary") },
    quotedChars: { value: QUOTED_CHARS, unit: "chars", source: document("§8.4, automatic summary") },
    shownChars: {
      value: SHOWN_CHARS,
      unit: "chars",
      source: code("CompactionService.ts, what the summarising model is shown"),
    },
    automaticTokens: { value: 86, unit: "tokens", source: MEASURED },
    noRequestsTokens: { value: 4, unit: "tokens", source: MEASURED },
    emptySummaryTokens: { value: 19, unit: "tokens", source: MEASURED },
    failureMessageTokens: { value: 64, unit: "tokens", source: MEASURED },
  } satisfies Record<string, Constant>,
} as const satisfies AgentProfile;
