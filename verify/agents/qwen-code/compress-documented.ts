import {
  ACKNOWLEDGEMENT,
  COMPACT_SHARE,
  DEFAULT_WINDOW,
  PRESERVE_SHARE,
  PROMPT_TOKENS,
} from "@/lib/agents/qwen-code/base/constants";
import type { Content } from "@/lib/agents/qwen-code/messages/content";
import type { JsonObject } from "@/lib/agents/shared/json";
import type { Tokens } from "@/lib/core/base/units";
import { findSplitPoint } from "./split-point";
import type { CompressionStatus, SummaryAnswer } from "./summary";

/** Compaction of 0.12.0: the front of the history becomes a summary, the rest is kept. Source: README.md, "Compaction of 0.12.0". */

interface DocumentedRequest {
  /** The history, valid contents only. */
  readonly history: readonly Content[];
  /** The prompt size that was recorded last; nothing is estimated. */
  readonly originalTokens: Tokens;
  readonly window?: Tokens | undefined;
  readonly threshold?: number | undefined;
  readonly preserve?: number | undefined;
  /** True if a user asked for it: then neither the threshold nor earlier failures matter. */
  readonly force: boolean;
  /** True if an automatic attempt has failed since the chat began. */
  readonly failedBefore: boolean;
  /** Summarises these contents; a line of ours is sent after them. */
  readonly summarise: (contents: readonly Content[]) => SummaryAnswer | Promise<SummaryAnswer>;
}

export interface DocumentedResult {
  readonly status: CompressionStatus;
  readonly originalTokenCount: Tokens;
  readonly newTokenCount: Tokens;
  /** Number of contents sent for the summary; absent if none were. */
  readonly split?: number;
  /** Absent if the history stays unchanged. */
  readonly newHistory?: readonly Content[];
}

/** Makes one attempt. Rejects only if the call rejects. */
export async function compressDocumented(request: DocumentedRequest): Promise<DocumentedResult> {
  const { history, originalTokens, force } = request;
  const threshold = request.threshold ?? COMPACT_SHARE;
  if (history.length === 0 || threshold <= 0 || (request.failedBefore && !force)) {
    return { status: "NOOP", originalTokenCount: 0, newTokenCount: 0 };
  }
  const unchanged = { originalTokenCount: originalTokens, newTokenCount: originalTokens };
  const window = request.window ?? DEFAULT_WINDOW;
  if (!force && originalTokens < threshold * window) return { status: "NOOP", ...unchanged };
  const split = findSplitPoint(history, 1 - (request.preserve ?? PRESERVE_SHARE));
  if (split === 0) return { status: "NOOP", ...unchanged };
  const answer = await request.summarise(history.slice(0, split));
  if (answer.text.trim() === "") return { status: "COMPRESSION_FAILED_EMPTY_SUMMARY", ...unchanged, split };
  const newTokenCount = sizeAfter(originalTokens, answer.usage);
  if (newTokenCount === undefined) return { status: "COMPRESSION_FAILED_TOKEN_COUNT_ERROR", ...unchanged, split };
  const counts = { originalTokenCount: originalTokens, newTokenCount, split };
  if (newTokenCount > originalTokens) return { status: "COMPRESSION_FAILED_INFLATED_TOKEN_COUNT", ...counts };
  return { status: "COMPRESSED", ...counts, newHistory: [...summaryPair(answer.text), ...history.slice(split)] };
}

/** The summary as a user message, followed by a generated acknowledgement of the model. */
function summaryPair(summary: string): readonly Content[] {
  return [
    { role: "user", parts: [{ text: summary }] },
    { role: "model", parts: [{ text: ACKNOWLEDGEMENT }] },
  ];
}

/** The original size, minus the summarised part, plus the summary; `undefined` if the usage does not state both. */
function sizeAfter(original: Tokens, usage: JsonObject | undefined): Tokens | undefined {
  const input = usage?.promptTokenCount;
  const output = outputOf(usage);
  if (typeof input !== "number" || input <= 0 || output === undefined || output <= 0) return undefined;
  return Math.max(0, original - (input - PROMPT_TOKENS) + output);
}

function outputOf(usage: JsonObject | undefined): Tokens | undefined {
  const { candidatesTokenCount: candidates, promptTokenCount: input, totalTokenCount: total } = usage ?? {};
  if (typeof candidates === "number") return candidates;
  return typeof total === "number" && typeof input === "number" ? Math.max(0, total - input) : undefined;
}
