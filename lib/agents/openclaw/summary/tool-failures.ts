import { type AgentMessage, blocksOf } from "../messages/message";
import { filledText, finite, objectOf, textOf } from "../messages/value";

/** Failed tool calls at the end of a summary. Source: README.md, "Summaries"; openclaw@2026.2.1, compaction-safeguard. */

const MAX_FAILURES = 8;
const MAX_CHARS = 240;

/** The section, or an empty text without failed calls. */
export function toolFailuresSection(messages: readonly AgentMessage[]): string {
  const failures = failureLines(messages);
  if (failures.length === 0) return "";
  const more = failures.length > MAX_FAILURES ? [`- ...and ${failures.length - MAX_FAILURES} more`] : [];
  return `\n\n## Tool Failures\n${[...failures.slice(0, MAX_FAILURES), ...more].join("\n")}`;
}

/** A line for every failed call. */
export function failureLines(messages: readonly AgentMessage[]): readonly string[] {
  return failedResults(messages).map(failureLine);
}

/** The first result of each call id. Results without an id do not count. */
function failedResults(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  const seen = new Set<string>();
  return messages.filter((message) => {
    const id = filledText(message.toolCallId);
    if (message.role !== "toolResult" || message.isError !== true || id === undefined || seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

function failureLine(result: AgentMessage): string {
  const name = textOf(result.toolName);
  const tool = name !== undefined && name.trim() !== "" ? name : "tool";
  const meta = metaOf(result);
  const text = textsOf(result).join("\n").replace(/\s+/g, " ").trim();
  const failure = text !== "" ? text : meta === "" ? "failed (no output)" : "failed";
  return `- ${tool}${meta === "" ? "" : ` (${meta})`}: ${shortened(failure)}`;
}

function textsOf(result: AgentMessage): readonly string[] {
  return blocksOf(result).flatMap((block) => (block.type === "text" ? (textOf(block.text) ?? []) : []));
}

function metaOf(result: AgentMessage): string {
  const details = objectOf(result.details);
  const status = filledText(details.status);
  const exitCode = finite(details.exitCode);
  return [status && `status=${status}`, exitCode !== undefined && `exitCode=${exitCode}`].filter(Boolean).join(" ");
}

function shortened(text: string): string {
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS - 3)}...`;
}
