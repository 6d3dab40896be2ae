import { IMAGE_TOKENS } from "@/lib/agents/qwen-code/base/constants";
import type { Content } from "@/lib/agents/qwen-code/messages/content";
import { contentTokens } from "@/lib/agents/qwen-code/messages/estimates";
import type { JsonObject } from "@/lib/agents/shared/json";
import type { Tokens } from "@/lib/core/base/units";

interface PromptEstimate {
  readonly history: readonly Content[];
  readonly userMessage: Content;
  /** 0 before any response was counted. */
  readonly lastPrompt: Tokens;
  readonly lastOutput?: Tokens;
  readonly imageTokens?: Tokens;
  /** Counts the new content one and a half times; no effect without a last prompt. */
  readonly conservative?: boolean;
}

const CONSERVATIVE_FACTOR = 1.5;

/** Size of the next request: the last usage plus the new content, or an estimate of everything. */
export function promptTokens(estimate: PromptEstimate): Tokens {
  const { history, userMessage, lastPrompt, lastOutput = 0, imageTokens = IMAGE_TOKENS } = estimate;
  if (!(lastPrompt > 0)) return contentTokens([...history, userMessage], imageTokens);
  const added = contentTokens([userMessage], imageTokens);
  return lastPrompt + lastOutput + (estimate.conservative === true ? Math.ceil(added * CONSERVATIVE_FACTOR) : added);
}

/** Output of a response for that estimate: the total without the prompt; without a total the candidates, plus the thoughts if they are separate. */
export function outputTokens(usage: JsonObject | undefined): Tokens {
  const { promptTokenCount: prompt, totalTokenCount: total } = usage ?? {};
  if (typeof prompt !== "number") return 0;
  if (typeof total === "number") return Math.max(0, total - prompt);
  const candidates = atLeastZero(usage?.candidatesTokenCount);
  const thoughts = atLeastZero(usage?.thoughtsTokenCount);
  return candidates > thoughts ? candidates : candidates + thoughts;
}

function atLeastZero(value: unknown): number {
  return typeof value === "number" ? Math.max(0, value) : 0;
}
