import { isObject, type JsonObject } from "@/lib/agents/shared/json";
import { type AgentPlaces, lastParts, type Placed } from "@/lib/agents/shared/places";
import { type BrowserProfile, type Constant, constant, type ReportedCompaction } from "@/lib/agents/shared/profile";
import type { ResumeRule } from "@/lib/core/context/resume";
import { textField } from "@/lib/core/records/fields";
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
import { type ClawdcodePreset, clawdcodePreset, presetFor } from "./base/presets";
import { clawdcodePolicy } from "./policy/policy";

/**
 * A resume loads user, assistant and system rows after the last boundary. The messages that the compaction kept come before the boundary and are
 * lost, and so are calls and results, which are rows of other types. Source: README.md, "Where sessions are stored"; `resumedEntries` is the exact form.
 */
const loadsTextsBehindBoundary: ResumeRule =
  ({ boundary, kind }) =>
  (row) =>
    row >= boundary && kind(row) === "text";

/** Sessions are `projects/<project>/<session>.jsonl`. Source: README.md, "Where sessions are stored". */
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

/** Source of the sizes of texts that the program itself writes, measured by its own count. */
const MEASURED = { kind: "code", text: "kkkhs/ClawdCode 217a013 (v1.8.0), its own text under its own count" } as const;

/** Browser profile of ClawdCode. */
export const profile = {
  // Its default model is GPT-4, whatever model the session uses.
  defaultWindow: constant(128_000, "tokens", document("§8.9 and §8.11, maxContextTokens")),
  places: clawdcodePlaces,
  policy: clawdcodePolicy,
  compactionReport: reportOfReplay,
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
} as const satisfies BrowserProfile;

/**
 * Name of the folder below `~/.clawdcode/projects` that holds a project's sessions. The document keeps the leading dash, the program strips it. It
 * cannot be reversed, since a dash may have been a dash before. Source: README.md, "Where sessions are stored".
 */
export function projectFolder(path: string, preset: ClawdcodePreset): string {
  const resolved = resolvedPath(path);
  return preset === "current" ? resolved.replace(/[/\\]/g, "-").replace(/^-/, "") : resolved.replaceAll("/", "-");
}

/** An absolute path without `.`, `..`, doubled and trailing slashes. */
function resolvedPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** The entries of a session file as the program reads them: a line is one entry, or is skipped. */
export function sessionEntries(text: string): readonly JsonObject[] {
  return text.split("\n").flatMap((line) => {
    try {
      const value: unknown = line.trim() === "" ? undefined : JSON.parse(line);
      return isObject(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

/** The entries from the last compaction on, including its boundary; all of them if there is none. */
export function afterCompaction(entries: readonly JsonObject[]): readonly JsonObject[] {
  return entries.slice(Math.max(0, entries.findLastIndex(isBoundary)));
}

/**
 * Entries that the program loads when this session is continued: user, assistant and system rows after the last boundary. The messages that the
 * compaction kept come before it, so they are lost.
 */
export function resumedEntries(entries: readonly JsonObject[]): readonly JsonObject[] {
  return afterCompaction(entries).filter(
    (entry) => !isBoundary(entry) && ["user", "assistant", "system"].includes(textField(entry.type) ?? ""),
  );
}

function isBoundary(entry: JsonObject): boolean {
  return entry.subtype === "compact_boundary";
}

interface ReportedResult {
  readonly success: boolean;
  readonly preTokens: number;
  readonly postTokens: number;
  readonly filesIncluded: readonly string[];
  readonly error?: string | undefined;
}

/** Answer of `/compact` to a simulated compaction; `undefined` if nothing was summarised. */
function reportOfReplay(compaction: ReportedCompaction): string | undefined {
  const { outcome, tokensBefore, tokensAfter, files } = compaction;
  if (outcome !== "summary" && outcome !== "fallback") return undefined;
  const preset = clawdcodePreset(compaction.preset);
  return compactReport(
    {
      // The program reports its own summary, made instead of the model's, as a success.
      success: outcome !== "fallback" || preset === "current",
      preTokens: tokensBefore,
      postTokens: tokensAfter,
      filesIncluded: [...files],
      error: "the summary call failed",
    },
    preset,
  );
}

/** Answer of `/compact`. With a size before of 0, which `current` may have, it shows NaN or -Infinity, as the program does. */
export function compactReport(result: ReportedResult, preset: ClawdcodePreset): string {
  return preset === "current" ? currentReport(result) : documentedReport(result);
}

function documentedReport({ success, preTokens, postTokens, filesIncluded, error }: ReportedResult): string {
  if (!success) return `⚠️ 压缩使用降级策略\n\n${error}\n\n已保留最近 30% 的消息。`;
  const saved = ((1 - postTokens / preTokens) * 100).toFixed(1);
  const files = filesIncluded.join(", ") || "无";
  return `✅ 压缩完成！\n\nToken 变化: ${preTokens} → ${postTokens} (-${saved}%)\n包含文件: ${files}`;
}

function currentReport({ success, preTokens, postTokens, filesIncluded, error }: ReportedResult): string {
  if (!success) return `compaction failed: ${error || "unknown"}`;
  const saved = preTokens - postTokens;
  const shown = (tokens: number) => tokens.toLocaleString("en-US");
  return `## Context compacted

| metric | value |
|--------|-------|
| before | ${shown(preTokens)} tokens |
| after | ${shown(postTokens)} tokens |
| saved | ${shown(saved)} tokens (${Math.round((saved / preTokens) * 100)}%) |
| files | ${filesIncluded.length} |

conversation continues normally.`;
}
