import { jsonOf, textOrAnyJson } from "@/lib/agents/shared/json";
import type { Tokens } from "@/lib/core/base/units";
import { MESSAGE_TOKENS } from "../base/constants";
import { type ClawdCall, type ClawdMessage, callsOf, contentText } from "./message";

/** Exact count of a text under the model's encoding. */
export type TextCount = (text: string) => Tokens;

/** Tokens of a message: its envelope, its content, its calls. `tool_call_id`, `name` and reasoning are not counted. */
export function messageTokens(message: ClawdMessage, count: TextCount): Tokens {
  const content = contentText(message);
  const calls = callsOf(message).reduce((sum, call) => sum + callTokens(call, count), 0);
  return envelopeTokens(message, count) + (content === "" ? 0 : count(content)) + calls;
}

/** Tokens of a message without its content and calls. */
export function envelopeTokens({ role }: ClawdMessage, count: TextCount): Tokens {
  return MESSAGE_TOKENS + (role ? count(textOrAnyJson(role)) : 0);
}

/** Tokens of a call within a message. */
export function callTokens(call: ClawdCall, count: TextCount): Tokens {
  const texts = [call.id, call.name, call.arguments].filter((text) => text !== undefined);
  return texts.reduce((sum, text) => sum + count(text), MESSAGE_TOKENS);
}

/** True for a common Chinese character, 一 to 龥, but not for kana, Hangul, full-width punctuation and rarer characters. */
function isChinese(unit: number): boolean {
  return unit >= 0x4e00 && unit <= 0x9fa5;
}

/** The rough estimate of a text: one token for 1.5 Chinese characters or 4 other UTF-16 units, rounded up once. */
export function estimateTokens(text: string): Tokens {
  let chinese = 0;
  for (let at = 0; at < text.length; at++) if (isChinese(text.charCodeAt(at))) chinese += 1;
  return Math.ceil(chinese / 1.5 + (text.length - chinese) / 4);
}

/** The rough estimate of one message: its content and its calls are rounded separately. */
export function estimateMessage(message: ClawdMessage): Tokens {
  return MESSAGE_TOKENS + estimateTokens(contentText(message)) + estimateCalls(message);
}

/** The rough estimate of a message's calls, all of them as one JSON text. */
export function estimateCalls({ tool_calls }: ClawdMessage): Tokens {
  return tool_calls ? estimateTokens(jsonOf(tool_calls)) : 0;
}
