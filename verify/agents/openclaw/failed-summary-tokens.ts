import { messagesTokens } from "@/lib/agents/openclaw/messages/estimate";
import type { AgentMessage } from "@/lib/agents/openclaw/messages/message";
import { chunkRatioOf, hasMuchNewContent } from "@/lib/agents/openclaw/policy/chunk-sizes";
import type { Preparation } from "@/lib/agents/openclaw/summary/summary-prompt";
import { sumOf } from "@/lib/core/base/numbers";
import type { Tokens } from "@/lib/core/base/units";
import { pruneGroupedHistory, stageSplit, summaryChunks, withoutOversized } from "./planning";

/** Number of attempts of 2026.9.6 for every call. */
const ATTEMPTS = 3;
/** Tokens kept free in a chunk for the text around it. */
const SUMMARIZATION_OVERHEAD = 4096;

/** Input of a plan. */
type FailedSummaryInput = Pick<Preparation, "messages" | "turnPrefix" | "tokensBefore" | "previousSummary">;

/** Tokens that 2026.9.6 sends if every summary call fails: follows its plan over messages until the program gives up. */
export function failedSummaryTokens(
  { messages, turnPrefix, tokensBefore, previousSummary }: FailedSummaryInput,
  { window, maxHistoryShare }: { readonly window: Tokens; readonly maxHistoryShare: number },
): Tokens {
  const sizeOf = (some: readonly AgentMessage[]) => messagesTokens(some, "current");
  const much = hasMuchNewContent(tokensBefore ?? 0, sizeOf(messages) + sizeOf(turnPrefix), window, maxHistoryShare);
  const pruned = much ? pruneGroupedHistory(messages, window, maxHistoryShare) : undefined;
  const isSeparate = pruned !== undefined && pruned.dropped.length > 0;
  const history = isSeparate ? pruned.dropped : messages;
  const [stage, measured] =
    history.length > 0 ? [history, isSeparate ? history : [...messages, ...turnPrefix]] : [turnPrefix, turnPrefix];
  const before: readonly AgentMessage[] =
    previousSummary === undefined || stage === turnPrefix ? [] : [{ role: "user", content: previousSummary }];
  const ratio = chunkRatioOf(sizeOf(measured), measured.length, window);
  const most = Math.max(1, Math.floor(window * ratio) - SUMMARIZATION_OVERHEAD);
  const all = [...before, ...stage];
  const part = stageSplit(all, most)?.[0] ?? all;
  const small = withoutOversized(part, window).messages;
  const tries = small.length > 0 && small.length < part.length ? [part, small] : [part];
  return ATTEMPTS * sumOf(tries.map((some) => sizeOf(summaryChunks(some, most)[0] ?? [])));
}
