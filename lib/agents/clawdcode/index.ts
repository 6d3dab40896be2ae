import { type AgentPlaces, lastParts, type Placed } from "@/lib/agents/shared/places";
import { type AgentHalf, type Constant, constant } from "@/lib/agents/shared/profile";
import type { ResumeRule } from "@/lib/core/context/resume";
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
} from "./base/constants";
import { presetFor } from "./base/presets";
import { clawdcodePolicy } from "./policy/policy";
import { projectFolder } from "./storage";

/**
 * A resume loads user, assistant and system rows after the last boundary. What the compaction kept comes before the boundary and is gone, and so
 * are calls and results, which are rows of other types. Source: README.md, "Where sessions lie"; `resumedEntries` is the exact form.
 */
const loadsTextsBehindBoundary: ResumeRule =
  ({ boundary, kind }) =>
  (row) =>
    row >= boundary && kind(row) === "text";

/** Sessions are `projects/<project>/<session>.jsonl`. Source: README.md, "Where sessions lie". */
const clawdcodePlaces: AgentPlaces = {
  roots: [{ folder: ".clawdcode" }],
  files: ["projects/*/*.jsonl"],
  projectFolder: (project) => projectFolder(project, "current"),
  placed,
};

function placed(path: string): Placed {
  const [folder = "", name = ""] = lastParts(path, 2);
  return { sessionId: name.replace(/\.jsonl$/, ""), ...(folder === "" ? {} : { projectFolder: folder }) };
}

const document = (section: string) => ({ kind: "document", text: `ClawdCode, chapter 8, ${section}` }) as const;
const code = (file: string) =>
  ({ kind: "code", text: `kkkhs/ClawdCode 217a013 (v1.8.0), src/context/${file}` }) as const;

/** Source of the sizes of texts that the program itself writes, as its own count measures them. */
const MEASURED = { kind: "code", text: "kkkhs/ClawdCode 217a013 (v1.8.0), its own text under its own count" } as const;

/** The browser-safe half of ClawdCode. */
export const profile = {
  // Its default model is GPT-4, whatever model the session uses.
  defaultWindow: constant(128_000, "tokens", document("§8.9 and §8.11, maxContextTokens")),
  places: clawdcodePlaces,
  policy: clawdcodePolicy,
  summaryCall: { sharesPrefix: () => false, source: { kind: "document", text: "README.md, a request of its own" } },
  presetFor,
  resume: loadsTextsBehindBoundary,
  constants: {
    threshold: constant(THRESHOLD_SHARE, "share", document("§8.6 and §8.11")),
    compressionThreshold: constant(COMPRESSION_THRESHOLD, "tokens", document("§8.4")),
    compressionThresholdCurrent: constant(COMPRESSION_THRESHOLD_CURRENT, "tokens", code("ContextManager.ts")),
    maxContextTokensCurrent: constant(200_000, "tokens", code("../slash-commands/builtinCommands.ts")),
    retain: constant(RETAIN_SHARE, "share", document("§8.7")),
    fallbackRetain: constant(FALLBACK_RETAIN_SHARE, "share", document("§8.8")),
    messageTokens: constant(MESSAGE_TOKENS, "tokens", document("§8.6, countTokens")),
    maxOutputTokens: constant(MAX_OUTPUT_TOKENS, "tokens", code("TokenCounter.ts, getRemainingTokens")),
    maxFiles: constant(5, "count", document("§8.7, FileAnalyzer")),
    maxLinesPerFile: constant(1000, "lines", document("§8.7, FileAnalyzer")),
    maxCharsPerFile: constant(50_000, "chars", code("FileAnalyzer.ts")),
    maxMessages: constant(MAX_MESSAGES, "count", document("§8.5, MemoryStore")),
    /** Declared but never applied: it belongs to `defaultFilter`, as do its 50 messages and 24 hours. */
    filterTokens: constant(32_000, "tokens", document("§8.4, defaultFilter: declared, never applied")),
    memoryKeepShare: constant(MEMORY_KEEP_SHARE, "share", document("§8.5, MemoryStore")),
    quotedRequests: constant(QUOTED_REQUESTS, "count", document("§8.4, automatic summary")),
    quotedChars: constant(QUOTED_CHARS, "chars", document("§8.4, automatic summary")),
    shownChars: constant(SHOWN_CHARS, "chars", code("CompactionService.ts, what the summarising model is shown")),
    automaticTokens: constant(86, "tokens", MEASURED),
    noRequestsTokens: constant(4, "tokens", MEASURED),
    emptySummaryTokens: constant(19, "tokens", MEASURED),
    failureMessageTokens: constant(64, "tokens", MEASURED),
  } satisfies Record<string, Constant>,
} as const satisfies AgentHalf;
