import { isObject, type JsonObject, textOf } from "@/lib/agents/shared/json";

/**
 * The text that the model reads for a command that the user ran; empty if the command was kept out of the context (`!!`). Source: release 1.5.2,
 * core/messages.
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
