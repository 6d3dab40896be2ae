import { writtenAs } from "@/lib/core/records/fields";
import type { MiniPreset } from "../base/presets";
import { type CoreMessage, measuredText } from "../messages/message";

/** Prompt of the summarising model: the whole history, uncut. */
export function compressionPrompt(history: readonly CoreMessage[]): string {
  return history.map((message) => `[${writtenAs(message.role)}]\n${measuredText(message)}`).join("\n\n---\n\n");
}

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

export const HINTS_TITLE = "---\n# 运行时状态\n\n";

/** Start of the hints in a system prompt; −1 if there are none. */
export function hintsStart(system: string): number {
  return system.indexOf(`\n${HINTS_TITLE}`);
}
