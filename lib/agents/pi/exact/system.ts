import { isObject, textOf } from "../../json";
import { contentText, type PiMessage, type SystemMessage } from "../messages/message";

/**
 * All prompts of a context replayed into one: contents joined by an empty line, sections patched by name, tools added and removed in order;
 * `undefined` where there is no prompt. Source: README.md, "Context of a path".
 */
export function currentSystemMessage(messages: readonly PiMessage[]): SystemMessage | undefined {
  const systems = messages.filter((message) => message.role === "system");
  if (systems.length === 0) return undefined;
  const sections = new Map<string, string | null>();
  const tools = new Map<string, unknown>();
  for (const message of systems) {
    for (const [name, text] of message.sections) {
      if (text === null) sections.delete(name);
      else sections.set(name, text);
    }
    for (const name of message.toolsRemoved) tools.delete(name);
    for (const tool of message.toolsAdded ?? []) tools.set(isObject(tool) ? textOf(tool.name) : "", tool);
  }
  return {
    role: "system",
    content: systems
      .map((message) => contentText(message.content, "\n"))
      .filter((text) => text !== "")
      .join("\n\n"),
    sections: [...sections],
    toolsAdded: tools.size === 0 ? undefined : [...tools.values()],
    toolsRemoved: [],
  };
}
