import {
  callBlock,
  contentBlocks,
  contextMessage,
  responseMessage,
  resultBlocks,
  textBlock,
  thinkingBlock,
  userMessages,
} from "@/lib/agents/shared/api-parts";
import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { type JsonObject, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import { usageFrom } from "@/lib/agents/shared/usage-from";
import type { DraftBlock, DraftMessage } from "@/lib/core/transcript/draft";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";
import type { DraftRequest, DraftResponse } from "./draft";
import { systemPrompt, toolDeclarations } from "./overhead";

/** OpenAI Chat Completions, which many servers implement. Format: platform.openai.com/docs, API reference, "Chat". */

/** The request, as sent to `POST /v1/chat/completions`. System messages at the front are the system prompt. */
export function completionsRequest(body: JsonObject): DraftRequest {
  const messages = objectsOf(body.messages);
  const first = messages.findIndex(({ role }) => !isSystem(role));
  const promptEnd = first < 0 ? messages.length : first;
  const prompt = messages.slice(0, promptEnd).flatMap(({ content }) => contentBlocks(content));
  return {
    model: nameOf(body.model),
    overhead: [...systemPrompt(prompt), ...toolDeclarations(body.tools), ...toolDeclarations(body.functions)],
    messages: messages.slice(promptEnd).flatMap(completionsMessage),
    session: idOf(body.prompt_cache_key) ?? idOf(objectOf(body.metadata).session_id),
    previous: undefined,
  };
}

/** Fields that are read. Not needed: the total; tokens that missed the cache, which are the rest; predictions, which are part of the completion. */
const KNOWN_FIELDS: KnownUsageFields = new Set([
  "prompt_tokens",
  "prompt_tokens_details.cached_tokens",
  "prompt_cache_hit_tokens",
  "prompt_cache_miss_tokens",
  "completion_tokens",
  "completion_tokens_details.reasoning_tokens",
  "completion_tokens_details.accepted_prediction_tokens",
  "completion_tokens_details.rejected_prediction_tokens",
  "total_tokens",
]);

/** The response, including one assembled from the chunks of a stream. */
export function completionsResponse(body: JsonObject, numbers: RecordNumbers): DraftResponse {
  const usage = objectOf(body.usage);
  numbers.unknownUsage(usage, KNOWN_FIELDS);
  const details = objectOf(usage.prompt_tokens_details);
  const cached =
    numbers.tokens(details.cached_tokens, "cached_tokens") ??
    numbers.tokens(usage.prompt_cache_hit_tokens, "prompt_cache_hit_tokens");
  const message = objectsOf(body.choices)[0]?.message;
  return {
    id: idOf(body.id),
    model: nameOf(body.model),
    messages: message === undefined ? [] : completionsMessage({ role: "assistant", ...objectOf(message) }),
    usage: usageFrom({
      sent: numbers.tokens(usage.prompt_tokens, "prompt_tokens"),
      cacheRead: cached,
      output: numbers.tokens(usage.completion_tokens, "completion_tokens"),
      reasoning: numbers.tokens(objectOf(usage.completion_tokens_details).reasoning_tokens, "reasoning_tokens"),
    }),
  };
}

/** Our messages for one message of a request. */
export function completionsMessage(message: JsonObject): readonly DraftMessage[] {
  const refusal = typeof message.refusal === "string" ? [textBlock(message.refusal)] : [];
  const blocks = [...contentBlocks(message.content), ...refusal];
  if (isSystem(message.role)) return [contextMessage(blocks)];
  if (message.role === "assistant") return [responseMessage([...thinking(message), ...blocks, ...calls(message)])];
  if (message.role === "tool" || message.role === "function") {
    const result = resultBlocks(message.tool_call_id ?? message.name, message.content);
    return [{ role: "user", origin: "tool", blocks: result }];
  }
  return userMessages(blocks.map((block) => [block]));
}

function isSystem(role: unknown): boolean {
  return role === "system" || role === "developer";
}

/** Reasoning in the format of servers other than OpenAI's. */
function thinking({ reasoning_content, reasoning }: JsonObject): readonly DraftBlock[] {
  const text = textOf(reasoning_content) || textOf(reasoning);
  return text === "" ? [] : [thinkingBlock(text)];
}

function calls({ tool_calls, function_call }: JsonObject): readonly DraftBlock[] {
  const old = objectOf(function_call);
  return [
    ...objectsOf(tool_calls).map((call) => {
      const called = objectOf(call.function ?? call.custom);
      return callBlock(call.id, called.name, called.arguments ?? called.input);
    }),
    // A function call of the old format has no id: its name links it to its result.
    ...(old.name === undefined ? [] : [callBlock(old.name, old.name, old.arguments)]),
  ];
}
