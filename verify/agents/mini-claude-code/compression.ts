import {
  COMPRESS_THRESHOLD,
  compressionLimit,
  MODEL_CONTEXT_LIMIT,
} from "@/lib/agents/mini-claude-code/base/constants";
import type { MiniPreset } from "@/lib/agents/mini-claude-code/base/presets";
import { type CoreMessage, estimateTokens, messageTokens } from "@/lib/agents/mini-claude-code/messages/message";
import { aroundSummary, HINTS_TITLE } from "@/lib/agents/mini-claude-code/summary/compression";
import type { Tokens } from "@/lib/core/base/units";

/** True if a size triggers compression: the estimate of history and system prompt, in `current` the usage's prompt tokens. */
export function shouldCompress(tokens: Tokens): boolean {
  return tokens > compressionLimit(MODEL_CONTEXT_LIMIT, COMPRESS_THRESHOLD);
}

/**
 * The prompt tokens that `current` compares after a turn: AI SDK 4.3 reports the sum over the turn's steps, not those of the last step. Source:
 * README.md, "When it fires".
 */
export function turnPromptTokens(steps: readonly Tokens[]): Tokens {
  return steps.reduce((sum, tokens) => sum + tokens, 0);
}

/** Number of steps of the summarising call. */
export const COMPRESSION_STEPS = 1;

/** The summary as a hint of the system prompt. */
export function compressionHint(summary: string, preset: MiniPreset): string {
  return aroundSummary(preset).join(summary);
}

/** Notes on how to use the tools, which the documented version adds to the prompt. */
const TOOL_NOTES = `
---
# 可用工具补充说明

- **read_file**：读取文件内容。超长文件会被截断，使用 offset/limit 分段读取。
- **write_file**：写入完整文件内容，适合创建新文件或完整重写。
- **edit_file**：替换文件中的特定字符串，old_string 必须在文件中唯一存在。
- **bash**：执行 Shell 命令。危险命令会暂停并等待用户确认。
- **web_fetch**：抓取网页内容并转换为 Markdown 格式。`;

/** The system prompt: the static instructions, in the documented version also the notes on the tools, and any hints. */
export function assembleSystemPrompt(staticPrompt: string, hints: readonly string[], preset: MiniPreset): string {
  const state = hints.length > 0 ? [`${HINTS_TITLE}${hints.join("\n\n")}`] : [];
  if (preset === "current") return [staticPrompt, ...state].join("\n\n");
  return [staticPrompt, TOOL_NOTES, ...state.map((text) => `\n${text}`)].join("\n");
}

/** The session after compression. */
interface Rebuilt {
  readonly history: readonly CoreMessage[];
  readonly hint: string;
  readonly system: string;
  /** Estimate of the history and the system prompt. */
  readonly tokens: Tokens;
}

/**
 * Rebuilds the session around a summary. The document keeps the question that started the run, `current` keeps nothing. The summary becomes a hint in
 * the system prompt and replaces any earlier hint.
 */
export function rebuild(question: string, summary: string, staticPrompt: string, preset: MiniPreset): Rebuilt {
  const hint = compressionHint(summary, preset);
  const system = assembleSystemPrompt(staticPrompt, [hint], preset);
  const history: readonly CoreMessage[] = preset === "current" ? [] : [{ role: "user", content: question }];
  return { history, hint, system, tokens: estimateMessagesTokens(history) + estimateTokens(system) };
}

/** Tokens of a history. */
export function estimateMessagesTokens(messages: readonly CoreMessage[]): Tokens {
  return messages.reduce((sum, message) => sum + messageTokens(message), 0);
}
