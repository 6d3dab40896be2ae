import type { Tokens } from "@/lib/core/base/units";
import { messagesTokens, messageTokens } from "../messages/estimate";
import type { AgentMessage } from "../messages/message";
import { textOf } from "../messages/value";
import { DEFAULT_PARTS, MIN_MESSAGES_FOR_SPLIT, usableParts } from "../policy/chunk-sizes";
import { chunkByMaximum, isOversized, splitByShare } from "./chunks";

/**
 * Summarising many messages in release 2026.2.1: chunk by chunk, in parts that are merged, and without oversized messages if a call fails. Source:
 * README.md, "Summaries"; openclaw@2026.2.1, agents/compaction.
 */

/** One call to the summarising model; throws if it fails. */
export type SummaryCall = (request: {
  readonly messages: readonly AgentMessage[];
  readonly reserveTokens: Tokens;
  readonly instructions: string | undefined;
  readonly previousSummary: string | undefined;
}) => string | Promise<string>;

interface SummaryPlan {
  readonly messages: readonly AgentMessage[];
  readonly maxChunkTokens: Tokens;
  readonly window: Tokens;
  readonly reserveTokens: Tokens;
  readonly instructions?: string | undefined;
  readonly previousSummary?: string | undefined;
  readonly parts?: number | undefined;
  readonly minMessagesForSplit?: number | undefined;
}

const NO_HISTORY = "No prior history.";
/** The request about the partial summaries. */
export const MERGE_INSTRUCTIONS =
  "Merge these partial summaries into a single cohesive summary. Preserve decisions," +
  " TODOs, open questions, and any constraints.";

/** Makes a summary in parts if there is much, merged by one more call; only that call gets the previous summary. */
export async function summarizeInStages(plan: SummaryPlan, call: SummaryCall): Promise<string> {
  const { messages, maxChunkTokens } = plan;
  const parts = usableParts(plan.parts ?? DEFAULT_PARTS, messages.length);
  const least = Math.max(2, plan.minMessagesForSplit ?? MIN_MESSAGES_FOR_SPLIT);
  if (parts <= 1 || messages.length < least || messagesTokens(messages, "as-documented") <= maxChunkTokens) {
    return summarizeWithFallback(plan, call);
  }
  const chunks = splitByShare(messages, parts);
  if (chunks.length <= 1) return summarizeWithFallback(plan, call);
  const partial: AgentMessage[] = [];
  for (const chunk of chunks) {
    const content = await summarizeWithFallback({ ...plan, messages: chunk, previousSummary: undefined }, call);
    partial.push({ role: "user", content });
  }
  const focus = plan.instructions;
  const instructions = focus ? `${MERGE_INSTRUCTIONS}\n\nAdditional focus:\n${focus}` : MERGE_INSTRUCTIONS;
  return summarizeWithFallback({ ...plan, messages: partial, instructions }, call);
}

/** Makes a summary chunk by chunk; if that fails, once more without oversized messages; if that fails too, a note. */
export async function summarizeWithFallback(plan: SummaryPlan, call: SummaryCall): Promise<string> {
  const { messages, window } = plan;
  const whole = await attempt(() => summarizeChunks(plan, call));
  if (whole !== undefined) return whole;
  const small = messages.filter((message) => !isOversized(message, window));
  const notes = messages.filter((message) => isOversized(message, window)).map(oversizedNote);
  const partial =
    small.length > 0 ? await attempt(() => summarizeChunks({ ...plan, messages: small }, call)) : undefined;
  if (partial !== undefined) return partial + (notes.length > 0 ? `\n\n${notes.join("\n")}` : "");
  return `Context contained ${messages.length} messages (${notes.length} oversized). Summary unavailable due to size limits.`;
}

async function attempt(run: () => Promise<string>): Promise<string | undefined> {
  try {
    return await run();
  } catch {
    return undefined;
  }
}

function oversizedNote(message: AgentMessage): string {
  return noteOfSize(textOf(message.role) ?? "message", messageTokens(message, "as-documented"));
}

/** The summary's note on a message that was too large for it. */
export function noteOfSize(role: string, tokens: Tokens): string {
  return `[Large ${role} (~${Math.round(tokens / 1000)}K tokens) omitted from summary]`;
}

/** Every call gets the result of the call before it. */
async function summarizeChunks(plan: SummaryPlan, call: SummaryCall): Promise<string> {
  let summary = plan.previousSummary;
  for (const messages of chunkByMaximum(plan.messages, plan.maxChunkTokens)) {
    summary = await call({
      messages,
      reserveTokens: plan.reserveTokens,
      instructions: plan.instructions,
      previousSummary: summary,
    });
  }
  return summary ?? NO_HISTORY;
}
