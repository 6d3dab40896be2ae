import { callBlock, payloadBlock, resultBlocks, thinkingBlock } from "@/lib/agents/shared/api-parts";
import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, jsonOf, listOf, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import type { DraftBlock } from "@/lib/core/transcript/draft";
import { type OpenHandsEvent, unsent } from "./events";

/** Events that only the program and its user see. */
const UNSENT: ReadonlySet<string> = new Set([
  ...["CondensationRequest", "ConversationStateUpdateEvent", "ConversationErrorEvent", "PauseEvent", "InterruptEvent"],
  ...["TokenEvent", "LLMCompletionLogEvent", "HookExecutionEvent", "StreamingDeltaEvent"],
]);

/** An event of the software agent SDK. Source: README.md, "Events of the SDK". */
export function sdkEvent(record: JsonObject): OpenHandsEvent {
  const name = textOf(record.kind) || "(no kind)";
  switch (name) {
    case "SystemPromptEvent":
      return { name, kind: "system", blocks: [], overhead: overheadOf(record) };
    case "MessageEvent":
      return messageOf(name, record);
    case "ActionEvent":
      return { name, kind: "response", blocks: actionBlocks(record), response: idOf(record.llm_response_id) };
    case "ObservationEvent":
    case "UserRejectObservation":
    case "AgentErrorEvent":
      return { name, kind: "result", blocks: observationBlocks(record) };
    case "Condensation":
      return { name, kind: "condensation", blocks: textBlocks([{ type: "text", text: record.summary }]) };
    default:
      return UNSENT.has(name) ? unsent(name) : { name, kind: "unknown", blocks: [] };
  }
}

function overheadOf({ system_prompt, dynamic_context, tools }: JsonObject) {
  const texts = [system_prompt, dynamic_context]
    .map((part) => textOf(objectOf(part).text))
    .filter((text) => text !== "");
  return [
    ...texts.map((text) => ({ category: "systemPrompt", name: "system prompt", text }) as const),
    ...objectsOf(tools).map(
      (tool) =>
        ({
          category: "builtinTools",
          name: nameOf(tool.name) ?? nameOf(tool.title) ?? "tool",
          text: jsonOf(tool),
        }) as const,
    ),
  ];
}

function messageOf(
  name: string,
  { source, llm_message, extended_content, llm_response_id }: JsonObject,
): OpenHandsEvent {
  const message = objectOf(llm_message);
  const isAnswer = source === "agent";
  const blocks = [
    ...(isAnswer ? thinkingOf(message) : []),
    ...textBlocks(message.content),
    ...textBlocks(extended_content),
  ];
  if (isAnswer) return { name, kind: "response", blocks, response: idOf(llm_response_id) };
  return { name, kind: source === "user" ? "typed" : "context", blocks };
}

function actionBlocks(record: JsonObject): readonly DraftBlock[] {
  const { thought, tool_call, tool_call_id, tool_name } = record;
  const call = objectOf(tool_call);
  const called = objectOf(call.function);
  return [
    ...thinkingOf(record),
    ...textBlocks(thought),
    callBlock(tool_call_id ?? call.id, tool_name ?? call.name, call.arguments ?? called.arguments),
  ];
}

/** Reasoning is stored as text, as Anthropic's blocks, or both: the blocks are sent. */
function thinkingOf({ reasoning_content, thinking_blocks }: JsonObject): readonly DraftBlock[] {
  const blocks = objectsOf(thinking_blocks);
  if (blocks.length === 0) return textOf(reasoning_content) === "" ? [] : [thinkingBlock(reasoning_content)];
  return blocks.map((block) =>
    block.type === "redacted_thinking" ? payloadBlock("thinking", block.data) : thinkingBlock(block.thinking),
  );
}

function observationBlocks(record: JsonObject): readonly DraftBlock[] {
  const { observation, error, rejection_reason, tool_call_id, extended_content } = record;
  if (typeof error === "string") return resultBlocks(tool_call_id, error, true);
  if (typeof rejection_reason === "string")
    return resultBlocks(tool_call_id, `Action rejected: ${rejection_reason}`, true);
  const { content, output, is_error } = objectOf(observation);
  // Releases before 2026 named the text of a result after its tool.
  const parts = Array.isArray(content) ? content : [content ?? output ?? jsonOf(observation)];
  return resultBlocks(tool_call_id, [...parts, ...listOf(extended_content)].flatMap(imagesApart), is_error === true);
}

/** A part with several images becomes several parts. */
function imagesApart(part: unknown): readonly unknown[] {
  if (!isObject(part) || !Array.isArray(part.image_urls)) return [part];
  return part.image_urls.map((url) => ({ type: "image_url", image_url: { url } }));
}

function textBlocks(content: unknown): readonly DraftBlock[] {
  return objectsOf(content)
    .flatMap(imagesApart)
    .flatMap((part): readonly DraftBlock[] => {
      const { text, image_url } = objectOf(part);
      if (image_url !== undefined) return [payloadBlock("image", objectOf(image_url).url)];
      return textOf(text) === "" ? [] : [{ kind: "text", text: textOf(text) }];
    });
}
