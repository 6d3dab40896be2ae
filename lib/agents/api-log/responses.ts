import {
  callBlock,
  contentBlocks,
  contextMessage,
  oddBlock,
  payloadBlock,
  responseMessage,
  resultBlocks,
  textBlock,
  userMessages,
} from "@/lib/agents/shared/api-parts";
import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import { usageFrom } from "@/lib/agents/shared/usage-from";
import type { DraftBlock, DraftMessage } from "@/lib/core/transcript/draft";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";
import type { DraftRequest, DraftResponse } from "./draft";
import { systemPrompt, toolDeclarations } from "./overhead";

/** OpenAI Responses. Format: platform.openai.com/docs, API reference, "Responses". */

/** The request, as sent to `POST /v1/responses`. System messages at the front are part of the system prompt. */
export function responsesRequest(body: JsonObject): DraftRequest {
  const items = typeof body.input === "string" ? [{ role: "user", content: body.input }] : objectsOf(body.input);
  const first = items.findIndex((item) => !isSystem(item));
  const promptEnd = first < 0 ? items.length : first;
  const prompt = [
    ...contentBlocks(body.instructions),
    ...items.slice(0, promptEnd).flatMap((i) => contentBlocks(i.content)),
  ];
  return {
    model: nameOf(body.model),
    overhead: [...systemPrompt(prompt), ...toolDeclarations(body.tools)],
    messages: messagesOfItems(items.slice(promptEnd)),
    session: idOf(body.prompt_cache_key) ?? idOf(objectOf(body.metadata).session_id),
    previous: previousOf(body.previous_response_id) ?? previousOf(objectOf(body.conversation).id ?? body.conversation),
  };
}

function previousOf(id: unknown): string | undefined {
  return textOf(id) === "" ? undefined : (idOf(id) ?? "");
}

/** Fields that are read, and the total, which is their sum. */
const KNOWN_FIELDS: KnownUsageFields = new Set([
  "input_tokens",
  "input_tokens_details.cached_tokens",
  "output_tokens",
  "output_tokens_details.reasoning_tokens",
  "total_tokens",
]);

export function responsesResponse(body: JsonObject, numbers: RecordNumbers): DraftResponse {
  const usage = objectOf(body.usage);
  numbers.unknownUsage(usage, KNOWN_FIELDS);
  return {
    id: idOf(body.id),
    model: nameOf(body.model),
    messages: messagesOfItems(objectsOf(body.output)),
    usage: usageFrom({
      sent: numbers.tokens(usage.input_tokens, "input_tokens"),
      cacheRead: numbers.tokens(objectOf(usage.input_tokens_details).cached_tokens, "cached_tokens"),
      output: numbers.tokens(usage.output_tokens, "output_tokens"),
      reasoning: numbers.tokens(objectOf(usage.output_tokens_details).reasoning_tokens, "reasoning_tokens"),
    }),
  };
}

/** Consecutive items that a model wrote are one message. */
function messagesOfItems(items: readonly JsonObject[]): readonly DraftMessage[] {
  const messages: DraftMessage[] = [];
  for (const item of items) {
    const drafts = itemMessages(item);
    const last = messages.at(-1);
    const [draft] = drafts;
    if (draft?.origin === "response" && last?.origin === "response") {
      messages[messages.length - 1] = { ...last, blocks: [...last.blocks, ...draft.blocks] };
    } else messages.push(...drafts);
  }
  return messages;
}

function isSystem({ role }: JsonObject): boolean {
  return role === "system" || role === "developer";
}

function itemMessages(item: JsonObject): readonly DraftMessage[] {
  const type = textOf(item.type) || "message";
  if (type === "message") {
    const blocks = contentBlocks(item.content);
    if (isSystem(item)) return [contextMessage(blocks)];
    return item.role === "assistant" ? [responseMessage(blocks)] : userMessages(blocks.map((block) => [block]));
  }
  if (type.endsWith("_output")) return [resultOf(item)];
  return [responseMessage(writtenBlocks(type, item))];
}

function resultOf(item: JsonObject): DraftMessage {
  const { output } = item;
  const blocks = resultBlocks(item.call_id, isObject(output) ? [output] : output);
  return { role: "user", origin: "tool", blocks };
}

/** Output of the model besides its messages: reasoning, calls, and calls that the provider ran itself. */
function writtenBlocks(type: string, item: JsonObject): readonly DraftBlock[] {
  switch (type) {
    case "reasoning":
      return reasoningBlocks(item);
    case "function_call":
    case "custom_tool_call":
      return [callBlock(item.call_id ?? item.id, item.name, item.arguments ?? item.input)];
    case "local_shell_call":
    case "shell_call":
    case "apply_patch_call":
    case "computer_call":
      return [callBlock(item.call_id ?? item.id, type.replace(/_call$/, ""), item.action ?? item.operation)];
    case "web_search_call":
    case "file_search_call":
    case "code_interpreter_call":
    case "mcp_call":
    case "mcp_list_tools":
    case "mcp_approval_request":
    case "mcp_approval_response":
    case "item_reference":
      return [textBlock(item)];
    case "image_generation_call":
      return [payloadBlock("image", item.result)];
    case "compaction":
      return [payloadBlock("thinking", item.encrypted_content)];
    default:
      return [oddBlock(item)];
  }
}

function reasoningBlocks(item: JsonObject): readonly DraftBlock[] {
  const texts = [...objectsOf(item.summary), ...objectsOf(item.content)].map(({ text }) => textOf(text));
  const shown: DraftBlock = { kind: "thinking", text: texts.join("\n") };
  const hidden = textOf(item.encrypted_content);
  if (hidden === "") return [shown];
  return shown.text === "" ? [payloadBlock("thinking", hidden)] : [shown, payloadBlock("thinking", hidden)];
}
