import { isObject, type JsonObject, objectsOf, textOf } from "@/lib/agents/shared/json";

/** Parts that are shown as a label instead of a text. */
const LABELLED = [
  "videoMetadata",
  "thought",
  "codeExecutionResult",
  "executableCode",
  "fileData",
  "functionCall",
  "functionResponse",
  "inlineData",
];

/** Beginnings of user messages that a resumed session does not treat as typed. */
const NOT_TYPED = ["<session_context>", "<hook_context>"];

/** The parts of a message's content, which may be a text, a part or a list of either. */
export function contentParts(content: unknown): readonly JsonObject[] {
  if (typeof content === "string") return [{ text: content }];
  if (isObject(content)) return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => (typeof part === "string" ? [{ text: part }] : isObject(part) ? [part] : []));
}

/** The content as one text, with labels for parts other than text. Never blank if there is such a part. */
function shownText(content: unknown): string {
  return contentParts(content)
    .map((part) => {
      const label = LABELLED.find((name) => part[name] !== undefined && part[name] !== false);
      return label === undefined ? textOf(part.text) : `[${label}]`;
    })
    .join("");
}

/** Only the texts of the content. */
export function plainText(content: unknown): string {
  if (typeof content === "string") return content;
  return contentParts(content)
    .map((part) => textOf(part.text))
    .join("");
}

/** Beginnings of user messages for the program itself: a resumed session's history omits them. */
const COMMANDS = ["/", "?"];

/**
 * True if a user message is a command. A file does not state which commands were sent to the model. Source: google-gemini/gemini-cli,
 * packages/core/src/utils/sessionUtils.ts, convertSessionToClientHistory.
 */
export function isCommand(message: JsonObject): boolean {
  const text = message.type === "user" ? shownText(message.content).trimStart() : "";
  return COMMANDS.some((start) => text.startsWith(start));
}

/** True if a resumed session can continue from the message. Source: README.md, "Sessions". */
export function isResumable(message: JsonObject): boolean {
  if (message.type === "user") {
    const text = shownText(message.content).trim();
    return text !== "" && !isCommand(message) && !NOT_TYPED.some((start) => text.startsWith(start));
  }
  if (message.type !== "gemini") return false;
  if (shownText(message.content).trim() !== "") return true;
  return objectsOf(message.toolCalls).length > 0 || objectsOf(message.thoughts).length > 0;
}
