import {
  FALLBACK_RETAIN_SHARE,
  MEMORY_KEEP_SHARE,
  RETAIN_SHARE,
  retainCount,
} from "@/lib/agents/clawdcode/base/constants";
import type { ClawdcodePreset } from "@/lib/agents/clawdcode/base/presets";
import type { ClawdMessage } from "@/lib/agents/clawdcode/messages/message";
import type { TextCount } from "@/lib/agents/clawdcode/messages/token-counter";
import { retained } from "@/lib/agents/clawdcode/summary/retain";
import { summaryPrompt } from "@/lib/agents/clawdcode/summary/summary-prompt";
import type { Tokens } from "@/lib/core/base/units";
import { writtenAs } from "@/lib/core/records/fields";
import { analyzeFiles, shownFiles } from "./file-analyzer";
import { automaticSummary, failureText, summaryMessage } from "./summary";
import { countTokens } from "./token-counter";

interface CompactionOptions {
  /** Exact count under the model's encoding. Throws like the program. */
  readonly count: TextCount;
  readonly preset: ClawdcodePreset;
  /** Calls the summarising model; absent if the program has none available. */
  readonly summarize?: (prompt: string) => Promise<string>;
  /** The size, if the caller knows it; counted if absent. */
  readonly actualPreTokens?: Tokens;
  /** True if the Compaction hook prevents it (`current`). */
  readonly prevented?: boolean;
  readonly exists?: (path: string) => boolean;
  readonly read?: (path: string) => string | undefined;
}

interface CompactionResult {
  readonly success: boolean;
  readonly summary: string;
  readonly preTokens: Tokens;
  readonly postTokens: Tokens;
  readonly filesIncluded: readonly string[];
  readonly compactedMessages: readonly ClawdMessage[];
  readonly error?: string;
}

/** Replaces the history with a summary and its newest fifth. Rejects if the text cannot be counted, as the program does. */
export async function compact(
  messages: readonly ClawdMessage[],
  options: CompactionOptions,
): Promise<CompactionResult> {
  const preTokens = options.actualPreTokens ?? countTokens(messages, options.count);
  if (options.prevented === true && options.preset === "current") return prevented(messages, preTokens);
  try {
    const files = analyzeFiles(messages, options.preset, options.exists).map((file) => file.path);
    const summary = await summaryOf(messages, files, options);
    const compactedMessages = [summaryMessage(summary), ...retained(messages, RETAIN_SHARE)];
    const postTokens = countTokens(compactedMessages, options.count);
    return { success: true, summary, preTokens, postTokens, filesIncluded: files, compactedMessages };
  } catch (error) {
    return fallback(messages, options, preTokens, error instanceof Error ? error.message : writtenAs(error));
  }
}

function prevented(messages: readonly ClawdMessage[], preTokens: Tokens): CompactionResult {
  return {
    success: false,
    summary: "",
    preTokens,
    postTokens: preTokens,
    filesIncluded: [],
    compactedMessages: messages,
    error: "Compaction prevented by hook",
  };
}

/** `current` hides a failure of the model; in the documented code the compaction itself fails. The prompt is always made. */
async function summaryOf(
  messages: readonly ClawdMessage[],
  paths: readonly string[],
  { summarize, preset, read }: CompactionOptions,
): Promise<string> {
  const prompt = summaryPrompt(messages, shownFiles(paths, read ?? (() => undefined)));
  if (summarize === undefined) return automaticSummary(messages);
  const answer = summarize(prompt);
  if (preset !== "current") return answer;
  return (await answer.catch(() => "")) || automaticSummary(messages);
}

function fallback(
  messages: readonly ClawdMessage[],
  { count, preset }: CompactionOptions,
  preTokens: Tokens,
  error: string,
): CompactionResult {
  const text = failureText(retainCount(messages.length, FALLBACK_RETAIN_SHARE), error, preset);
  const message = summaryMessage(text);
  const compactedMessages = [message, ...retained(messages, FALLBACK_RETAIN_SHARE)];
  return {
    success: false,
    summary: writtenAs(message.content),
    preTokens,
    postTokens: countTokens(compactedMessages, count),
    filesIncluded: [],
    compactedMessages,
    error,
  };
}

/**
 * The messages in memory after one was added: above `maxSize` the newest four fifths are kept, except that a `maxSize` of 1 keeps all. Source:
 * README.md, "Memory".
 */
export function withinMemory<T>(messages: readonly T[], maxSize: number): readonly T[] {
  return messages.length > maxSize ? messages.slice(-Math.floor(maxSize * MEMORY_KEEP_SHARE)) : messages;
}
