import type { CodexPreset } from "../base/presets";
import { contentItems, isMessage, type ResponseItem, stringField } from "./item";

/**
 * Distinguishes typed user messages from those that the agent inserted. Source: README.md, "Messages that nobody typed"; the fragments of `current`
 * are those registered in core/src/context of main.
 */

/** First line of every local summary, followed by a newline. Source: templates/compact/summary_prefix.md of 31d1e4934. */
export const SUMMARY_PREFIX =
  "Another language model started to solve this problem and produced a summary of its thinking process. You also have access to the state of the tools that were used by that language model. Use this to build on the work that has already been done and avoid duplicating work. Here is the summary produced by the other language model, use the information in this summary to assist with your own analysis:";

const SUMMARY_START = `${SUMMARY_PREFIX}\n`;

/** True if a text is the summary of an earlier compaction. */
export function isSummaryText(text: string): boolean {
  return text.startsWith(SUMMARY_START);
}

const SESSION_PREFIXES = ["<environment_context>", "<turn_aborted>", "<user_shell_command>"];
const INSTRUCTION_PREFIXES = ["# AGENTS.md instructions for ", "<user_instructions>", "<skill"];

/** The start and the end of each fragment that `current` recognises; a text needs both, in upper or lower case. */
const FRAGMENTS: readonly (readonly [string, string])[] = [
  ["# agents.md instructions", "</instructions>"],
  ["<environment_context>", "</environment_context>"],
  ["<skill>", "</skill>"],
  ["<user_shell_command>", "</user_shell_command>"],
  ["<turn_aborted>", "</turn_aborted>"],
  ["<subagent_notification>", "</subagent_notification>"],
  ["<goal_context>", "</goal_context>"],
  ["<codex_internal_context", "</codex_internal_context>"],
  ["<recommended_plugins>", "</recommended_plugins>"],
  ["<hook_prompt", "</hook_prompt>"],
];

/** Head and tail of a text in lower case. The middle is not copied, since markers are short. */
export function ends(text: string): { head: string; tail: string } {
  const trimmed = text.trim();
  return { head: trimmed.slice(0, 64).toLowerCase(), tail: trimmed.slice(-64).toLowerCase() };
}

function isFragment(text: string): boolean {
  const { head, tail } = ends(text);
  return FRAGMENTS.some(([start, end]) => head.startsWith(start) && tail.endsWith(end));
}

function isSessionPrefix(text: string): boolean {
  const { head } = ends(text);
  return SESSION_PREFIXES.some((prefix) => head.startsWith(prefix));
}

/** True if the agent inserted a user message, under a preset's rule. */
export function isContextualUserMessage(item: ResponseItem, preset: CodexPreset): boolean {
  const content = contentItems(item.content);
  const texts = content.flatMap((entry) => stringField(entry, "text") ?? []);
  if (preset === "current") {
    return content.some((entry) => entry.type === "input_text" && isFragment(stringField(entry, "text") ?? ""));
  }
  const only = content.length === 1 ? texts[0] : undefined;
  if (only !== undefined && INSTRUCTION_PREFIXES.some((prefix) => only.startsWith(prefix))) return true;
  return texts.some(isSessionPrefix);
}

/** True if a user message is the marker of an aborted turn, which local compaction keeps. */
export function isTurnAborted(item: ResponseItem): boolean {
  return contentItems(item.content).some((entry) =>
    ends(stringField(entry, "text") ?? "").head.startsWith("<turn_aborted>"),
  );
}

/** True if the user typed a user message. */
export function isRealUserMessage(item: ResponseItem, preset: CodexPreset): boolean {
  return isMessage(item, "user") && !isContextualUserMessage(item, preset);
}

/** True if the agent inserted a user message under either rule: files of any version are read with both. */
export function isContextual(item: ResponseItem): boolean {
  return isContextualUserMessage(item, "release-2026-01") || isContextualUserMessage(item, "current");
}
