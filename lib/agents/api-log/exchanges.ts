import {
  countOf,
  isObject,
  type JsonObject,
  objectOf,
  objectsOf,
  parsedOr,
  textOf,
  timeOf,
} from "@/lib/agents/shared/json";
import type { DraftMessage } from "@/lib/core/transcript/draft";
import { type RecordNumbers, UNREPORTED_NUMBERS } from "@/lib/core/transcript/record-numbers";
import { messagesOf, messagesRequest, messagesResponse, unknownMessagesUsage } from "./anthropic";
import { completionsMessage, completionsRequest, completionsResponse } from "./chat-completions";
import type { DraftRequest, DraftResponse, Exchange } from "./draft";
import { exchangesOfTrace, isTrace } from "./otlp";
import { responsesRequest, responsesResponse } from "./responses";

/** Names that loggers use for a request, a response, and the body within either. The first match wins. */
const REQUESTS = ["request", "req", "request_body", "requestBody", "raw_request"];
const RESPONSES = ["response", "res", "response_body", "responseBody", "raw_response", "events"];
const BODIES = ["body", "postData", "content", "data", "json", "payload", "body_raw", "bodyRaw", "events", "text"];
const TIMES = ["timestamp", "startedDateTime", "started_at", "time", "ts", "created_at", "logged_at", "date"];

/**
 * The exchanges in a record: usually one, all entries of a HAR document, all requests of a trace, or none if the record does not come from a model API. A record may be a request with its response under various
 * names, either of them alone, an event of a stream, or a message of a history.
 */
export function exchangesOf(record: JsonObject, numbers: RecordNumbers = UNREPORTED_NUMBERS): readonly Exchange[] {
  if (isTrace(record)) return exchangesOfTrace(record, numbers);
  const entries = objectsOf(objectOf(record.log).entries);
  return (entries.length > 0 ? entries : [record]).flatMap((entry) => {
    const exchange = exchangeOf(entry, numbers);
    return exchange === undefined ? [] : [exchange];
  });
}

function exchangeOf(record: JsonObject, numbers: RecordNumbers): Exchange | undefined {
  const asked = firstOf(record, REQUESTS);
  const answered = firstOf(record, RESPONSES);
  const url = textOf(record.url) || textOf(objectOf(asked).url) || textOf(record.path) || textOf(record.endpoint);
  if (isCounting(record)) return undefined;
  const requestBody = bodyIn(asked, isRequest) ?? bodyIn(record, isRequest);
  const responseBody = bodyIn(answered, isResponse) ?? (isResponse(record) ? record : undefined);
  const event = requestBody === undefined && responseBody === undefined ? eventResponse(record, numbers) : undefined;
  const response = responseBody === undefined ? event : responseOf(responseBody, numbers);
  const failed = isFailure(answered) || isFailure(record);
  const at = numbers.time(firstTime(record) ?? firstTime(objectOf(asked)), "time");
  if (requestBody !== undefined) {
    return {
      request: requestOf(requestBody, url, responseBody),
      response,
      failed: failed && response === undefined,
      at,
    };
  }
  if (response !== undefined) return { request: undefined, response, failed: false, at };
  const message = historyMessage(record);
  return message === undefined ? undefined : { request: undefined, response: undefined, message, failed: false, at };
}

const COUNTING = "count_tokens";

/** True if a record requests a token count, and not a response. */
export function isCounting(record: JsonObject): boolean {
  return textOf(record.url).includes(COUNTING) || textOf(objectOf(firstOf(record, REQUESTS)).url).includes(COUNTING);
}

/** True for an entry of a HAR, which holds everything that a browser loaded. */
export function isHarEntry({ startedDateTime, request, response }: JsonObject): boolean {
  return typeof startedDateTime === "string" && isObject(request) && isObject(response);
}

function firstOf(record: JsonObject, keys: readonly string[]): unknown {
  return keys.map((key) => record[key]).find((value) => value !== undefined && value !== null);
}

function firstTime(record: JsonObject): number | undefined {
  return TIMES.map((key) => timeOf(record[key])).find((at) => at !== undefined);
}

/** The body within a logged request or response: the value itself, or its field under one of the usual names. */
function bodyIn(value: unknown, accepts: (body: JsonObject) => boolean, depth = 0): JsonObject | undefined {
  const body = decoded(value);
  if (body === undefined || accepts(body)) return body;
  if (depth >= 2) return undefined;
  return BODIES.map((key) => bodyIn(plainField(body, key), accepts, depth + 1)).find((found) => found !== undefined);
}

/** A field of a logged body. If the body says `base64`, as HAR does for binary bodies, it is decoded. */
function plainField(body: JsonObject, key: string): unknown {
  const value = body[key];
  if (body.encoding !== "base64" || typeof value !== "string") return value;
  try {
    const bytes = Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return value; // Not valid base64, so it is returned unchanged.
  }
}

/** The object in a value: the value itself, JSON in a text, or the assembled events of a stream. */
function decoded(value: unknown): JsonObject | undefined {
  if (Array.isArray(value)) return assembled(objectsOf(value));
  if (typeof value !== "string") return isObject(value) ? value : undefined;
  if (!/^\s*[{[]/.test(value)) return assembled(eventsOfText(value));
  const parsed = parsedOr(value);
  return isObject(parsed) || Array.isArray(parsed) ? decoded(parsed) : undefined;
}

/** True for the body of a request: a model with messages or input. The other fields distinguish it from a bare list of messages. */
function isRequest(body: JsonObject): boolean {
  const { messages, input, model } = body;
  if (isResponse(body)) return false;
  if (Array.isArray(messages)) {
    const known = typeof model === "string" || ["max_tokens", "tools", "stream"].some((key) => key in body);
    return known && messages.length > 0 && messages.every((one) => isObject(one) && "role" in one && !hasSdkPart(one));
  }
  const asks = typeof input === "string" || (Array.isArray(input) && input.length > 0 && input.every(isObject));
  return asks && typeof model === "string";
}

/** True if a message has parts of the AI SDK, which has its own history format. */
function hasSdkPart({ content }: JsonObject): boolean {
  return objectsOf(content).some(({ type }) => type === "tool-call" || type === "tool-result");
}

function isResponse(body: JsonObject): boolean {
  const { type, role, content, object, choices, output } = body;
  if (type === "message" && role === "assistant" && Array.isArray(content)) {
    return "stop_reason" in body || isObject(body.usage);
  }
  if (object === "response") return Array.isArray(output);
  return Array.isArray(choices) && object !== "chat.completion.chunk" && choices.some(hasMessage);
}

function hasMessage(choice: unknown): boolean {
  return isObject(choice) && isObject(choice.message);
}

function requestOf(body: JsonObject, url: string, response: JsonObject | undefined): DraftRequest {
  if (!Array.isArray(body.messages)) return responsesRequest(body);
  return isAnthropic(body, url, response) ? messagesRequest(body) : completionsRequest(body);
}

/** The address or the response decides; without them, fields that only Anthropic's bodies have. */
function isAnthropic(body: JsonObject, url: string, response: JsonObject | undefined): boolean {
  if (/\/chat\/completions/.test(url) || Array.isArray(response?.choices)) return false;
  if (/\/messages/.test(url) || response?.type === "message" || "system" in body || "anthropic_version" in body)
    return true;
  return (
    objectsOf(body.tools).some((tool) => "input_schema" in tool) || objectsOf(body.messages).some(hasAnthropicPart)
  );
}

function hasAnthropicPart({ content }: JsonObject): boolean {
  return objectsOf(content).some(({ type }) =>
    /^(tool_use|tool_result|thinking|redacted_thinking)$/.test(textOf(type)),
  );
}

function responseOf(body: JsonObject, numbers: RecordNumbers): DraftResponse {
  if (body.type === "message") return messagesResponse(body, numbers);
  return Array.isArray(body.choices) ? completionsResponse(body, numbers) : responsesResponse(body, numbers);
}

/** The response's id, model and usage in one stream event. Its text is skipped: the next request holds it in full. */
function eventResponse(record: JsonObject, numbers: RecordNumbers): DraftResponse | undefined {
  const type = textOf(record.type);
  if (type === "message_start" && isObject(record.message)) {
    return { ...messagesResponse(record.message, numbers), messages: [] };
  }
  if (type === "message_delta" && isObject(record.usage)) {
    unknownMessagesUsage(record.usage, numbers);
    return { ...NOTHING, generated: numbers.tokens(record.usage.output_tokens, "output_tokens") };
  }
  if (/^response\.(completed|incomplete)$/.test(type)) return responsesResponse(objectOf(record.response), numbers);
  if (isChunk(record)) return { ...completionsResponse(record, numbers), messages: [] };
  return STREAMED.test(type) ? NOTHING : undefined;
}

const NOTHING: DraftResponse = { id: undefined, model: undefined, messages: [], usage: undefined };

/** Events that hold only pieces of text. */
const STREAMED = /^(ping|content_block_(start|delta|stop)|message_delta|message_stop|response\.[a-z_.]+)$/;

function isFailure(value: unknown): boolean {
  const logged = objectOf(value);
  const status = countOf(logged.status) ?? countOf(logged.status_code) ?? countOf(logged.statusCode) ?? 0;
  const body = objectOf(decoded(logged.body));
  return status >= 400 || isObject(logged.error) || isObject(body.error);
}

/** A single message of an API's history, as the request that it will be part of. */
function historyMessage(record: JsonObject): DraftRequest | undefined {
  if (!isHistoryMessage(record)) return undefined;
  const isOpenAi = "tool_calls" in record || "tool_call_id" in record || record.role === "tool";
  const messages: readonly DraftMessage[] = isOpenAi ? completionsMessage(record) : messagesOf(record);
  return { model: undefined, overhead: [], messages, session: undefined, previous: undefined };
}

const ROLES = new Set(["system", "developer", "user", "assistant", "tool"]);

/** True if a record is a message in an API's format. */
export function isHistoryMessage(record: JsonObject): boolean {
  if ("message_id" in record || hasSdkPart(record)) return false;
  return ROLES.has(textOf(record.role)) && ("content" in record || "tool_calls" in record);
}

/** True if a message holds a call or a result in a format that only an API writes. */
export function hasToolShape(record: JsonObject): boolean {
  if (Array.isArray(record.tool_calls) || typeof record.tool_call_id === "string") return true;
  return objectsOf(record.content).some(({ type }) => type === "tool_use" || type === "tool_result");
}

/** The events of a logged stream, from its text as it was transmitted. Empty if the text is not a stream. */
function eventsOfText(text: string): readonly JsonObject[] {
  if (!/^\s*(data|event|id|:)/.test(text)) return [];
  return text
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => parsedOr(line.slice("data:".length).trim()))
    .filter(isObject);
}

/** The response's body; `undefined` if these are not the events of a response. */
function assembled(events: readonly JsonObject[]): JsonObject | undefined {
  const whole = events.map(({ event, data }) => (isObject(data) ? data : objectOf(event)));
  const plain = events.some(({ data }) => isObject(data)) ? whole : events;
  const completed = plain.findLast(({ type, response }) => isObject(response) && /^response\.\w+$/.test(textOf(type)));
  if (completed !== undefined) return completedResponse(objectOf(completed.response), plain);
  const start = plain.find(({ type }) => type === "message_start");
  if (start !== undefined) return anthropicMessage(objectOf(start.message), plain);
  const chunks = plain.filter(isChunk);
  return chunks.length === 0 ? undefined : completion(chunks);
}

/** An interrupted stream never states the whole response, so its finished items are used. */
function completedResponse(response: JsonObject, events: readonly JsonObject[]): JsonObject {
  if (objectsOf(response.output).length > 0) return response;
  const items = events.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item);
  return { ...response, output: items };
}

/** True for one chunk of a stream of Chat Completions. */
function isChunk({ object, choices }: JsonObject): boolean {
  return object === "chat.completion.chunk" && Array.isArray(choices);
}

function anthropicMessage(message: JsonObject, events: readonly JsonObject[]): JsonObject {
  const blocks = new Map<number, Record<string, unknown>>();
  let usage = objectOf(message.usage);
  for (const event of events) {
    const index = Number(event.index);
    if (event.type === "content_block_start") blocks.set(index, { ...objectOf(event.content_block) });
    if (event.type === "content_block_delta") extend(blocks.get(index) ?? {}, objectOf(event.delta));
    if (event.type === "message_delta") usage = { ...usage, ...objectOf(event.usage) };
  }
  const ordered = [...blocks].sort(([a], [b]) => a - b).map(([, block]) => finished(block));
  return { ...message, type: "message", role: "assistant", content: ordered, usage };
}

function extend(block: Record<string, unknown>, delta: JsonObject): void {
  if (typeof delta.text === "string") block.text = textOf(block.text) + delta.text;
  if (typeof delta.thinking === "string") block.thinking = textOf(block.thinking) + delta.thinking;
  if (typeof delta.partial_json === "string") block.json = textOf(block.json) + delta.partial_json;
}

function finished({ json, ...block }: Record<string, unknown>): JsonObject {
  return typeof json === "string" && json !== "" ? { ...block, input: parsedOr(json) } : block;
}

/** The first choice of a completion, assembled from its chunks. */
function completion(chunks: readonly JsonObject[]): JsonObject {
  const message: Record<string, unknown> = { role: "assistant" };
  const calls = new Map<number, { id: unknown; name: string; arguments: string }>();
  for (const delta of chunks.map(({ choices }) => objectOf(objectsOf(choices)[0]?.delta))) {
    for (const key of ["content", "refusal", "reasoning_content", "reasoning"]) {
      if (typeof delta[key] === "string") message[key] = textOf(message[key]) + delta[key];
    }
    for (const call of objectsOf(delta.tool_calls)) {
      const known = calls.get(Number(call.index)) ?? { id: call.id, name: "", arguments: "" };
      const called = objectOf(call.function);
      calls.set(Number(call.index), {
        id: known.id ?? call.id,
        name: known.name + textOf(called.name),
        arguments: known.arguments + textOf(called.arguments),
      });
    }
  }
  message.tool_calls = [...calls.values()].map(({ id, ...called }) => ({ id, type: "function", function: called }));
  const last = chunks.findLast(({ usage }) => isObject(usage));
  return { ...chunks[0], object: "chat.completion", choices: [{ message }], usage: last?.usage };
}
