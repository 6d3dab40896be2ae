import {
  callBlock,
  contentBlocks,
  contextMessage,
  oddBlock,
  payloadBlock,
  responseMessage,
  resultBlocks,
  textBlock,
  thinkingBlock,
  userMessages,
} from "@/lib/agents/shared/api-parts";
import { writtenForAnHour } from "@/lib/agents/shared/cache-writes";
import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, objectOf, objectsOf, parsedOr, textOf } from "@/lib/agents/shared/json";
import { usageFrom } from "@/lib/agents/shared/usage-from";
import type { DraftBlock, DraftMessage } from "@/lib/core/transcript/draft";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";
import type { DraftRequest, DraftResponse } from "./draft";
import { systemPrompt, toolDeclarations } from "./overhead";

/** Anthropic Messages. Format: platform.claude.com/docs, API reference, "Messages". */

/** The request, as sent to `POST /v1/messages`. */
export function messagesRequest(body: JsonObject): DraftRequest {
  return {
    model: nameOf(body.model),
    overhead: [...systemPrompt(contentBlocks(body.system)), ...toolDeclarations(body.tools)],
    messages: objectsOf(body.messages).flatMap(messagesOf),
    session: sessionOf(objectOf(body.metadata)),
    previous: undefined,
  };
}

/**
 * Fields that are read. Not needed: fetched pages and other tools of the provider without a price of their own; thoughts, which are part of the
 * output.
 */
const KNOWN_FIELDS: KnownUsageFields = new Set([
  "input_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "cache_creation.ephemeral_5m_input_tokens",
  "cache_creation.ephemeral_1h_input_tokens",
  "output_tokens",
  "output_tokens_details.thinking_tokens",
  "server_tool_use.web_fetch_requests",
]);

/** Reports the fields of a Messages usage that are not read. */
export function unknownMessagesUsage(usage: unknown, numbers: RecordNumbers): void {
  numbers.unknownUsage(usage, KNOWN_FIELDS);
}

/** The response, including one assembled from the events of a stream. */
export function messagesResponse(body: JsonObject, numbers: RecordNumbers): DraftResponse {
  const usage = objectOf(body.usage);
  unknownMessagesUsage(usage, numbers);
  const read = numbers.tokens(usage.cache_read_input_tokens, "cache_read_input_tokens");
  const write = numbers.tokens(usage.cache_creation_input_tokens, "cache_creation_input_tokens");
  const input = numbers.tokens(usage.input_tokens, "input_tokens");
  const divided = (field: string) => numbers.tokens(objectOf(usage.cache_creation)[field], field);
  const sent = input === undefined ? undefined : input + (read ?? 0) + (write ?? 0);
  return {
    id: idOf(body.id),
    model: nameOf(body.model),
    messages: [responseMessage(objectsOf(body.content).flatMap(partBlocks))],
    usage: usageFrom({
      sent,
      cacheRead: read,
      cacheWrite: write,
      cacheWrite1h: writtenForAnHour(write, divided("ephemeral_5m_input_tokens"), divided("ephemeral_1h_input_tokens")),
      output: numbers.tokens(usage.output_tokens, "output_tokens"),
    }),
  };
}

/** Our messages for one message of a request. */
export function messagesOf({ role, content }: JsonObject): readonly DraftMessage[] {
  const parts = Array.isArray(content) ? content : [content ?? ""];
  const groups = parts.map((part) => (isObject(part) ? partBlocks(part) : [textBlock(part)]));
  if (role === "assistant") return [responseMessage(groups.flat())];
  if (role === "system") return [contextMessage(groups.flat())];
  return userMessages(groups);
}

function partBlocks(part: JsonObject): readonly DraftBlock[] {
  switch (part.type) {
    case "text":
      return [textBlock(part.text)];
    case "thinking":
      return [thinkingBlock(part.thinking)];
    case "redacted_thinking":
      return [payloadBlock("thinking", part.data)];
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use":
      return [callBlock(part.id, part.name, part.input)];
    case "image":
    case "document":
      return [payloadBlock("image", part.source)];
    default:
      // Results of tools that the provider runs count too: `web_search_tool_result` and others.
      return textOf(part.type).endsWith("tool_result")
        ? resultBlocks(part.tool_use_id, part.content, part.is_error === true)
        : [oddBlock(part)];
  }
}

/** The session id, which Claude Code writes into the user's id, at its end or as JSON. */
function sessionOf({ user_id }: JsonObject): string | undefined {
  const id = textOf(user_id);
  const parsed = id.startsWith("{") ? parsedOr(id) : undefined;
  if (isObject(parsed)) return idOf(parsed.session_id);
  const at = id.lastIndexOf("_session_");
  return at < 0 ? undefined : idOf(id.slice(at + "_session_".length));
}
