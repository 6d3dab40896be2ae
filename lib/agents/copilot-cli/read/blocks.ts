import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { type JsonObject, objectOf, objectsOf, parsedOr, textOf, textOrJson } from "@/lib/agents/shared/json";
import type { DraftBlock, DraftMessage } from "@/lib/core/transcript/draft";

/** Origins of user messages that the program adds: skills, other agents, reminders. Source: README.md, "Events". */
const ADDED_BY_PROGRAM = /^(?:skill|agent)-/;

/**
 * Content of an event that the model read; `undefined` for events that add nothing to the context. Both reading and loading texts again use this
 * function, so that they give the same texts in the same order.
 */
export function draftOf(event: JsonObject): DraftMessage | undefined {
  const data = objectOf(event.data);
  switch (event.type) {
    case "user.message":
      return { role: "user", origin: isTyped(data) ? "typed" : "context", blocks: textBlocks(sentText(data)) };
    case "assistant.message":
      return { role: "assistant", origin: "response", blocks: responseBlocks(data) };
    case "tool.execution_complete":
      return { role: "user", origin: "tool", blocks: resultBlocks(data) };
    case "system.notification":
      return { role: "user", origin: "context", blocks: textBlocks(textOf(data.content)) };
    case "session.compaction_complete":
      return { role: "user", origin: "summary", blocks: textBlocks(textOf(data.summaryContent)) };
    case "session.context_cleared":
      return { role: "user", origin: "context", blocks: textBlocks(textOf(data.initialMessage)) };
    default:
      return undefined;
  }
}

function textBlocks(text: string): readonly DraftBlock[] {
  return text === "" ? [] : [{ kind: "text", text }];
}

/** The model reads the transformed text; the other one is what the terminal shows. */
function sentText({ content, transformedContent }: JsonObject): string {
  return textOf(transformedContent) || textOf(content);
}

function isTyped({ source, isAutopilotContinuation, content }: JsonObject): boolean {
  const added = ADDED_BY_PROGRAM.test(textOf(source)) || textOf(content).startsWith("<skill-context");
  return !added && isAutopilotContinuation !== true;
}

function responseBlocks({ reasoningText, content, toolRequests }: JsonObject): readonly DraftBlock[] {
  const thinking = textOf(reasoningText);
  const blocks = [
    ...(thinking === "" ? [] : [{ kind: "thinking" as const, text: thinking }]),
    ...textBlocks(textOf(content)),
    ...objectsOf(toolRequests).map(callBlock),
  ];
  return blocks.length === 0 ? [{ kind: "text", text: "" }] : blocks;
}

function callBlock({ toolCallId, name, arguments: given }: JsonObject): DraftBlock {
  const values = objectOf(typeof given === "string" ? parsedOr(given) : given);
  return {
    kind: "tool_call",
    text: textOrJson(given),
    callId: idOf(toolCallId),
    tool: nameOf(name),
    file: nameOf(values.path) ?? nameOf(values.file_path),
  };
}

/** The text that the model reads is `content`; `detailedContent` is for the terminal. A failed call has its error's message instead. */
function resultBlocks({ toolCallId, success, result, error }: JsonObject): readonly DraftBlock[] {
  const { content, binaryResultsForLlm } = objectOf(result);
  const answer = typeof result === "string" ? result : textOf(content);
  const text = answer || textOf(objectOf(error).message);
  const images = objectsOf(binaryResultsForLlm).filter(({ data }) => typeof data === "string");
  return [
    { kind: "tool_result", text, callId: idOf(toolCallId), isError: success === false },
    ...images.map(({ data }): DraftBlock => ({ kind: "image", text: textOf(data), payload: true })),
  ];
}
