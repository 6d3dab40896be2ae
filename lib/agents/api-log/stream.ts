import { isObject, type JsonObject, objectOf, objectsOf, parsedOr, textOf } from "../json";

/** Puts a response that was logged as stream events together into the body that a call without streaming returns. */

/** The events of a logged stream, from its text as it was transmitted. Empty where the text is no stream. */
export function eventsOfText(text: string): readonly JsonObject[] {
  if (!/^\s*(data|event|id|:)/.test(text)) return [];
  return text
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => parsedOr(line.slice("data:".length).trim()))
    .filter(isObject);
}

/** The response's body; `undefined` where these are not the events of a response. */
export function assembled(events: readonly JsonObject[]): JsonObject | undefined {
  const whole = events.map(({ event, data }) => (isObject(data) ? data : objectOf(event)));
  const plain = events.some(({ data }) => isObject(data)) ? whole : events;
  const completed = plain.findLast(({ type, response }) => isObject(response) && /^response\.\w+$/.test(textOf(type)));
  if (completed !== undefined) return completedResponse(objectOf(completed.response), plain);
  const start = plain.find(({ type }) => type === "message_start");
  if (start !== undefined) return anthropicMessage(objectOf(start.message), plain);
  const chunks = plain.filter(isChunk);
  return chunks.length === 0 ? undefined : completion(chunks);
}

/** A stream that broke off never states the whole response, so its finished items are taken. */
function completedResponse(response: JsonObject, events: readonly JsonObject[]): JsonObject {
  if (objectsOf(response.output).length > 0) return response;
  const items = events.filter(({ type }) => type === "response.output_item.done").map(({ item }) => item);
  return { ...response, output: items };
}

/** Whether a record is one chunk of a stream of Chat Completions. */
export function isChunk({ object, choices }: JsonObject): boolean {
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

/** The first choice of a completion, put together from its chunks. */
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
