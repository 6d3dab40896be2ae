import { CHARS_PER_TOKEN } from "@/lib/agents/qwen-code/base/constants";
import type { JsonObject } from "@/lib/agents/shared/json";
import type { Tokens } from "@/lib/core/base/units";

/** Outcomes of an attempt to compact. Source: README.md, "Compaction of 0.24.4". */
export type CompressionStatus =
  | "COMPRESSED"
  | "COMPRESSION_FAILED_INFLATED_TOKEN_COUNT"
  | "COMPRESSION_FAILED_TOKEN_COUNT_ERROR"
  | "COMPRESSION_FAILED_EMPTY_SUMMARY"
  | "NOOP"
  | "COMPRESSION_FAILED_OUTPUT_TRUNCATED"
  | "COMPRESSION_FAILED_API_ERROR";

/** The answer of the call for a summary. */
export interface SummaryAnswer {
  readonly text: string;
  /** `promptTokenCount`, `candidatesTokenCount`, `totalTokenCount` if the provider reports them. */
  readonly usage?: JsonObject | undefined;
}

const OPEN = "<analysis>";
const CLOSE = "</analysis>";

/** The summary without its reasoning; an unclosed block of reasoning takes the rest with it. */
export function withoutAnalysis(summary: string): string {
  let kept = "";
  let from = 0;
  for (;;) {
    const open = summary.indexOf(OPEN, from);
    if (open < 0) return (kept + summary.slice(from)).trim();
    const close = summary.indexOf(CLOSE, open + OPEN.length);
    kept += summary.slice(from, open);
    if (close < 0) return kept.trim();
    from = close + CLOSE.length;
    while (/\s/.test(summary[from] ?? "x")) from += 1;
  }
}

/** The summary's text as the new history holds it. */
export function summaryText(summary: string): string {
  const stripped = withoutAnalysis(summary);
  return `${stripped === "" ? "[Summary unavailable]" : stripped}\n\n${RESUME_TRAILER}`;
}

/** True if it holds a state snapshot that is closed and not empty. */
export function hasSnapshot(summary: string): boolean {
  const text = withoutAnalysis(summary);
  const open = text.indexOf("<state_snapshot>");
  const from = open + "<state_snapshot>".length;
  const close = open < 0 ? -1 : text.indexOf("</state_snapshot>", from);
  return close >= 0 && text.slice(from, close).trim() !== "";
}

const CJK = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]/g;
const CJK_TOKENS = 1.5;

/** Size of a summary whose usage was not reported: characters divided by four; Chinese, Japanese and Korean ones count 1.5 each. */
export function summaryTokens(summary: string): Tokens {
  const cjk = summary.match(CJK)?.length ?? 0;
  const plain = Math.ceil(summary.length / CHARS_PER_TOKEN);
  if (cjk === 0) return plain;
  return Math.max(plain, Math.ceil((summary.length - cjk) / CHARS_PER_TOKEN) + Math.ceil(cjk * CJK_TOKENS));
}

/** The text that follows the summary in `current`. */
export const RESUME_TRAILER =
  "Resume the prior task using the summary above. Continue from the last in-flight step; do not acknowledge the summary, do not re-introduce, do not greet the user again.";
