import type { Tokens } from "@/lib/core/base/units";
import { writtenAs } from "@/lib/core/records/fields";
import { COMPRESS_THRESHOLD, compressionLimit, MODEL_CONTEXT_LIMIT } from "../base/constants";
import type { MiniPreset } from "../base/presets";
import { type CoreMessage, estimateMessagesTokens, estimateTokens, measuredText } from "../messages/message";

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

/** Prompt of the summarising model: the whole history, uncut. */
export function compressionPrompt(history: readonly CoreMessage[]): string {
  return history.map((message) => `[${writtenAs(message.role)}]\n${measuredText(message)}`).join("\n\n---\n\n");
}

/** Number of steps of the summarising call. */
export const COMPRESSION_STEPS = 1;

/** The summarising model's system prompt, with four tags to fill. Source: README.md, "The summary". */
export const COMPRESSION_SYSTEM: Readonly<Record<MiniPreset, string>> = {
  "as-documented": `请对以下 Agent 执行历史进行压缩总结，输出格式如下（使用 XML 标签）：

<completed>
已完成的具体操作列表（每行一条）
</completed>

<remaining>
还未完成的任务或子任务
</remaining>

<current_state>
当前状态：已修改的文件、关键变量值、环境状态等
</current_state>

<notes>
重要注意事项：踩过的坑、特殊处理、边界条件
</notes>

要求：
- 信息密度高，不要废话
- 保留所有对后续执行有用的细节
- 忘记所有已经完成且不影响后续的步骤细节`,
  current: `你是一个 Agent 执行历史压缩器。将以下执行历史总结为结构化摘要，输出格式如下（使用 XML 标签）：

<completed>
已完成的具体操作（每行一条，保留关键细节）
</completed>

<remaining>
还未完成的任务或子任务
</remaining>

<current_state>
当前状态：已修改的文件路径、关键变量、环境状态等
</current_state>

<notes>
注意事项：踩过的坑、特殊处理、边界条件
</notes>

要求：信息密度高，去掉废话，保留所有对后续执行有用的细节。`,
};

const HINT_TITLE = "[执行历史摘要 - 之前会话已压缩]";
const HINT_NOTE: Readonly<Record<MiniPreset, string>> = {
  "as-documented":
    "注意：以上是对之前执行历史的摘要，你当前处于重建会话的状态。\n请基于上述摘要继续完成原始任务，不要重复已完成的操作。",
  current: "注意：以上是对之前执行历史的摘要，你处于重建会话状态。\n请基于摘要继续完成原始任务，不要重复已完成的操作。",
};

/** Text before and after a summary in its hint. */
export function aroundSummary(preset: MiniPreset): readonly [before: string, after: string] {
  return [`${HINT_TITLE}\n\n`, `\n\n${HINT_NOTE[preset]}`];
}

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

const HINTS_TITLE = "---\n# 运行时状态\n\n";

/** The system prompt: the static instructions, in the documented version also the notes on the tools, and any hints. */
export function assembleSystemPrompt(staticPrompt: string, hints: readonly string[], preset: MiniPreset): string {
  const state = hints.length > 0 ? [`${HINTS_TITLE}${hints.join("\n\n")}`] : [];
  if (preset === "current") return [staticPrompt, ...state].join("\n\n");
  return [staticPrompt, TOOL_NOTES, ...state.map((text) => `\n${text}`)].join("\n");
}

/** Start of the hints in a system prompt; −1 if there are none. */
export function hintsStart(system: string): number {
  return system.indexOf(`\n${HINTS_TITLE}`);
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
