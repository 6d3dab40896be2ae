import { callBlock, payloadBlock, resultBlocks, thinkingBlock } from "@/lib/agents/shared/api-parts";
import { isObject, type JsonObject, listOf, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import type { DraftBlock } from "@/lib/core/transcript/draft";

/** Types of content that the program shows, but does not send. */
const NOT_SENT: ReadonlySet<string> = new Set([
  ...["systemNotification", "toolConfirmationRequest", "actionRequired", "error"],
  ...["conversationCompacted", "contextLengthExceeded", "summarizationRequested"],
]);

/** Content blocks of a message, as Goose sends them. Source: README.md, "Records". */
export function blocksOf({ content }: JsonObject): readonly DraftBlock[] {
  return objectsOf(content).filter(isForModel).flatMap(partBlocks);
}

function partBlocks(part: JsonObject): readonly DraftBlock[] {
  const type = textOf(part.type);
  switch (type) {
    case "text":
      return part.text === "" ? [] : [{ kind: "text", text: textOf(part.text) }];
    case "thinking":
    case "reasoning":
      return [thinkingBlock(part.thinking ?? part.text)];
    case "redactedThinking":
      return [payloadBlock("thinking", part.data)];
    case "image":
    case "document":
      return [payloadBlock("image", part.data)];
    case "toolRequest":
    case "frontendToolRequest":
      return [requestBlock(part)];
    case "toolResponse":
      return responseBlocks(part);
    default:
      return NOT_SENT.has(type) ? [] : [{ kind: "text", text: "", odd: `content ${type === "" ? "part" : type}` }];
  }
}

/** False for a part addressed only to the user. */
function isForModel({ annotations }: JsonObject): boolean {
  const { audience } = objectOf(annotations);
  return !Array.isArray(audience) || audience.includes("assistant");
}

/** A call that could not be parsed holds only the error. */
function requestBlock({ id, toolCall }: JsonObject): DraftBlock {
  const call = objectOf(toolCall);
  const { name, arguments: given } = isObject(call.value) ? call.value : call;
  return callBlock(id, name, call.status === "error" ? call.error : given);
}

function responseBlocks({ id, toolResult }: JsonObject): readonly DraftBlock[] {
  const result = objectOf(toolResult);
  if (result.status === "error") return resultBlocks(id, textOf(result.error), true);
  // Releases before 2026 stored the list of parts alone.
  const value = Array.isArray(toolResult) ? toolResult : (result.value ?? toolResult);
  const parts = Array.isArray(value) ? value : objectOf(value).content;
  return resultBlocks(id, listOf(parts).filter(isPart).map(resultPart), objectOf(value).isError === true);
}

function isPart(part: unknown): boolean {
  return !isObject(part) || isForModel(part);
}

/** The text of an embedded resource is sent alone. */
function resultPart(part: unknown): unknown {
  if (!isObject(part) || part.type !== "resource") return part;
  const { text } = objectOf(part.resource);
  return typeof text === "string" ? { type: "text", text } : part;
}
