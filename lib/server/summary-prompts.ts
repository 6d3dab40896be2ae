import type { SummaryPrompt } from "@/lib/api/contract";
import type { BlockContent } from "@/lib/core/tokens/item-estimator";
import type { Message } from "@/lib/core/transcript/model";

/** A message of the history, with those of its blocks that are in the context, and their contents. */
export interface HistoryMessage {
  readonly message: Message;
  readonly contents: readonly BlockContent[];
}

/** What a rule may go by beside the history that is summarised. */
export interface PromptContext {
  /** The whole context before the compaction, what stays included. */
  readonly whole: readonly HistoryMessage[];
  /** Settings that were chosen; those that are missing have their default. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What is sent to have a history summarised. */
export interface PromptParts extends Pick<SummaryPrompt, "system" | "text"> {
  /** History that goes along as messages in front of the text; absent where the text holds it. */
  readonly sent?: readonly HistoryMessage[];
  /** What of it is not known, or is so for a reason. */
  readonly notes?: readonly SummaryPrompt["notes"][number][];
}

/**
 * What an agent sends to have a history summarised.
 * @param history what was in the context up to the last dropped item. @param format of the recording
 */
export type SummaryPromptRule = (
  history: readonly HistoryMessage[],
  preset: string,
  format: string,
  context: PromptContext,
) => PromptParts;

/** Agents of whose prompt enough is known to show it. Adding one is one line. */
const LOADERS: Readonly<Record<string, () => Promise<SummaryPromptRule>>> = {
  clawdcode: async () => (await import("@/lib/agents/clawdcode/summary-prompt")).summaryPromptOf,
  codex: async () => (await import("@/lib/agents/codex/summary-prompt")).summaryPromptOf,
  "gemini-cli": async () => (await import("@/lib/agents/gemini-cli/summary-prompt")).summaryPromptOf,
  "mini-claude-code": async () => (await import("@/lib/agents/mini-claude-code/summary-prompt")).summaryPromptOf,
  openclaw: async () => (await import("@/lib/agents/openclaw/summary-prompt")).summaryPromptOf,
  opencode: async () => (await import("@/lib/agents/opencode/summary-prompt")).summaryPromptOf,
  pi: async () => (await import("@/lib/agents/pi/summary-prompt")).summaryPromptOf,
  "qwen-code": async () => (await import("@/lib/agents/qwen-code/summary-prompt")).summaryPromptOf,
};

/** The rule of a policy; `undefined` where its prompt is not known. */
export async function summaryPromptRule(policy: string): Promise<SummaryPromptRule | undefined> {
  return Object.hasOwn(LOADERS, policy) ? LOADERS[policy]?.() : undefined;
}
