import { isObject, type JsonObject, textOf } from "../json";

/** What the model reads around the summary of a compaction. Source: release 1.5.2, core/messages (the same in 0.51.0). */
export function compactionSummaryText(summary: string): string {
  return `The conversation history before this point was compacted into the following summary:\n\n<summary>\n${summary}\n</summary>`;
}

/** What the model reads around the summary of a branch. Source: as above. */
export function branchSummaryText(summary: string): string {
  return `The following is a summary of a branch that this conversation came back from:\n\n<summary>\n${summary}</summary>`;
}

/**
 * What the model reads of a command that the user ran; nothing where it was kept out of the context (`!!`).
 * Source: release 1.5.2, core/messages.
 */
export function bashExecutionText(message: JsonObject): string {
  if (message.excludeFromContext) return "";
  const output = textOf(message.output);
  const shown = output === "" ? "(no output)" : `\`\`\`\n${output}\n\`\`\``;
  return `Ran \`${textOf(message.command)}\`\n${shown}${exitText(message)}${fullOutputText(message)}`;
}

function exitText({ cancelled, exitCode }: JsonObject): string {
  if (cancelled) return "\n\n(command cancelled)";
  return typeof exitCode === "number" && exitCode !== 0 ? `\n\nCommand exited with code ${exitCode}` : "";
}

function fullOutputText({ truncated, fullOutputPath }: JsonObject): string {
  return truncated && typeof fullOutputPath === "string" && fullOutputPath !== ""
    ? `\n\n[Output truncated. Full output: ${fullOutputPath}]`
    : "";
}

/** The tools that a prompt declares, by name. */
export function declaredTools(message: JsonObject): readonly (readonly [string, JsonObject])[] {
  const tools = Array.isArray(message.toolsAdded) ? message.toolsAdded : [];
  return tools.filter(isObject).map((tool) => [textOf(tool.name), tool]);
}
