import { sumOf } from "@/lib/core/base/numbers";
import type { Tokens } from "@/lib/core/base/units";
import { writtenAs } from "@/lib/core/records/fields";
import { branchSummaryText, compactionSummaryText } from "../../entry-tree/wrappers";
import type { AgentMessage } from "../messages/message";
import { stringChars } from "../messages/string-chars";
import { isObject, type JsonObject, jsonOf, listOf } from "../messages/value";

/**
 * Release 2026.9.6's check before a prompt is sent: a deliberately high estimate, and the action if the prompt does not fit. Source: README.md,
 * "Before a prompt"; openclaw@2026.9.6, run/preemptive-compaction and the token pressure of messages.
 */

export const MESSAGE_TOKENS: Tokens = 12;
const BLOCK_TOKENS: Tokens = 6;
const IMAGE_TOKENS: Tokens = 2000;
const CHARS_PER_TOKEN = 4;
const JSON_CHARS_PER_TOKEN = 3;
/** Assumed minimum density of a tool result. */
const RESULT_UNITS_PER_TOKEN = 2;
/** Tokens of a value without JSON, or one that cannot be written as JSON. */
const NO_JSON_TOKENS: Tokens = 1;

type Mode = "general" | "result";

export function textPressure(text: string, charsPerToken = CHARS_PER_TOKEN, mode: Mode = "general"): Tokens {
  const tokens = Math.ceil(stringChars(text) / charsPerToken);
  return mode === "result" ? Math.max(Math.ceil(text.length / RESULT_UNITS_PER_TOKEN), tokens) : tokens;
}

function jsonPressure(value: unknown, charsPerToken = JSON_CHARS_PER_TOKEN, mode: Mode = "general"): Tokens {
  const json = jsonOf(value);
  return json === undefined ? NO_JSON_TOKENS : textPressure(json, charsPerToken, mode);
}

function namePressure(value: unknown): Tokens {
  if (value === undefined || value === null) return 0;
  return typeof value === "object" ? jsonPressure(value) : textPressure(writtenAs(value), JSON_CHARS_PER_TOKEN);
}

function blockPressure(block: unknown, mode: Mode): Tokens {
  if (typeof block === "string") return textPressure(block, CHARS_PER_TOKEN, mode);
  if (!isObject(block)) return jsonPressure(block, CHARS_PER_TOKEN, mode);
  const text = block.type === "text" ? block.text : block.type === "thinking" ? block.thinking : undefined;
  if (typeof text === "string") return BLOCK_TOKENS + textPressure(text, CHARS_PER_TOKEN, mode);
  return block.type === "image" ? IMAGE_TOKENS : BLOCK_TOKENS + jsonPressure(block, CHARS_PER_TOKEN, mode);
}

function contentPressure(content: unknown, mode: Mode): Tokens {
  if (typeof content === "string") return textPressure(content, CHARS_PER_TOKEN, mode);
  if (Array.isArray(content)) return sumOf(content.map((block) => blockPressure(block, mode)));
  if (content === undefined) return 0;
  return jsonPressure(content, mode === "result" ? CHARS_PER_TOKEN : JSON_CHARS_PER_TOKEN, mode);
}

function callPressure(call: JsonObject): Tokens {
  return BLOCK_TOKENS + namePressure(call.name) + jsonPressure(call.arguments ?? call.input ?? call.args ?? {});
}

/** Tokens that a message is assumed to cost within a prompt. */
export function messagePressure(message: AgentMessage): Tokens {
  if (message.excludeFromContext === true) return 0;
  const { role } = message;
  if (role === "toolResult" || role === "tool" || message.type === "toolResult") {
    const name = message.toolName ?? message.tool_name;
    return MESSAGE_TOKENS + contentPressure(message.content, "result") + namePressure(name);
  }
  if (role === "bashExecution") return MESSAGE_TOKENS + textPressure(bashText(message));
  if (role === "branchSummary") return MESSAGE_TOKENS + textPressure(branchSummaryText(writtenAs(message.summary)));
  if (role === "compactionSummary")
    return MESSAGE_TOKENS + textPressure(compactionSummaryText(writtenAs(message.summary)));
  if (role === "assistant") return MESSAGE_TOKENS + assistantPressure(message);
  return MESSAGE_TOKENS + contentPressure(message.content, "general");
}

function assistantPressure(message: AgentMessage): Tokens {
  const { content } = message;
  const blocks = Array.isArray(content)
    ? sumOf(content.map((block) => (isCall(block) ? callPressure(block) : blockPressure(block, "general"))))
    : contentPressure(content, "general");
  const calls = listOf(message.toolCalls ?? message.tool_calls);
  return blocks + sumOf(calls.map((call) => (isObject(call) ? callPressure(call) : jsonPressure(call))));
}

function isCall(block: unknown): block is JsonObject {
  return isObject(block) && (block.type === "toolCall" || block.type === "tool_use");
}

/** A shell run as the model sees it. */
export function bashText(message: AgentMessage): string {
  const output = message.output ? `\`\`\`\n${writtenAs(message.output)}\n\`\`\`` : "(no output)";
  const { exitCode } = message;
  const failed = exitCode !== undefined && exitCode !== null && exitCode !== 0;
  const end = message.cancelled
    ? "\n\n(command cancelled)"
    : failed
      ? `\n\nCommand exited with code ${writtenAs(exitCode)}`
      : "";
  const more =
    message.truncated && message.fullOutputPath
      ? `\n\n[Output truncated. Full output: ${writtenAs(message.fullOutputPath)}]`
      : "";
  return `Ran \`${writtenAs(message.command)}\`\n${output}${end}${more}`;
}
