import { callBlock, payloadBlock, resultBlocks } from "@/lib/agents/shared/api-parts";
import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, jsonOf, listOf, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import type { DraftBlock } from "@/lib/core/transcript/draft";
import { type OpenHandsEvent, unsent } from "./events";

/** Actions and observations that are not sent to the model. */
const UNSENT: ReadonlySet<string> = new Set([
  ...["change_agent_state", "agent_state_changed", "null", "recall", "condensation_request", "start", "loop_recovery"],
  ...["pause", "resume", "stop"],
]);

/** An event of a release before the software agent SDK. Source: README.md, "Events before the SDK". */
export function oldEvent(record: JsonObject): OpenHandsEvent {
  const { action, observation } = record;
  const name = textOf(action) || textOf(observation) || "(no action)";
  if (typeof observation === "string") return observationOf(name, record);
  const args = objectOf(record.args);
  if (name === "condensation") return { name, kind: "condensation", blocks: textBlocks(args.summary) };
  if (name === "system") return { name, kind: "system", blocks: [], overhead: overheadOf(args) };
  if (UNSENT.has(name)) return unsent(name);
  if (record.source !== "agent") {
    const isTyped = name === "message" && record.source === "user";
    const blocks = name === "message" ? messageBlocks(args) : textBlocks(`${name} ${jsonOf(args)}`);
    return { name, kind: isTyped ? "typed" : "context", blocks };
  }
  return actionOf(name, record, args);
}

function overheadOf({ content, tools }: JsonObject) {
  const prompt = textOf(content);
  return [
    ...(prompt === "" ? [] : [{ category: "systemPrompt", name: "system prompt", text: prompt } as const]),
    ...objectsOf(tools).map(
      (tool) =>
        ({
          category: "builtinTools",
          name: nameOf(objectOf(tool.function).name) ?? "tool",
          text: jsonOf(tool),
        }) as const,
    ),
  ];
}

/** If the model was called with tools, the event holds the whole response, including its other calls. */
function actionOf(name: string, record: JsonObject, args: JsonObject): OpenHandsEvent {
  const { tool_call_id, function_name, model_response } = objectOf(record.tool_call_metadata);
  const response = objectOf(model_response);
  const message = objectOf(objectOf(objectsOf(response.choices)[0]).message);
  const facts = {
    name,
    kind: "response",
    response: idOf(response.id),
    model: nameOf(response.model),
    usage: response.usage,
  } as const;
  if (name === "message" && tool_call_id === undefined) return { ...facts, blocks: messageBlocks(args) };
  const calls = objectsOf(message.tool_calls);
  // If the id is masked, the name identifies the call.
  const own =
    calls.find(({ id }) => idOf(id) !== undefined && id === tool_call_id) ??
    calls.find((call) => objectOf(call.function).name === function_name);
  // The text of the response belongs to its first call.
  const text = calls.indexOf(own ?? {}) > 0 ? "" : textOf(message.content) || textOf(args.thought);
  const { thought: _, ...given } = args;
  const input = own === undefined ? given : objectOf(own.function).arguments;
  const id = isObject(record.tool_call_metadata) ? idOf(tool_call_id) : eventId(record.id);
  return { ...facts, blocks: [...textBlocks(text), callBlock(id, function_name ?? name, input)] };
}

/** An observation answers the action that caused it; one without a cause is the program's own. */
function observationOf(name: string, record: JsonObject): OpenHandsEvent {
  const { content, cause, extras, tool_call_metadata } = record;
  if (name === "recall") return { name, kind: "context", blocks: textBlocks(recalled(objectOf(extras))) };
  if (UNSENT.has(name)) return unsent(name);
  const id = isObject(tool_call_metadata) ? idOf(tool_call_metadata.tool_call_id) : eventId(cause);
  if (id === undefined && typeof cause !== "number") return { name, kind: "context", blocks: textBlocks(content) };
  return { name, kind: "result", blocks: resultBlocks(id, textOf(content), name === "error") };
}

/** Texts that were added to the context, without the sentences of the template around them. */
function recalled(extras: JsonObject): string {
  const names = ["repo_instructions", "additional_agent_instructions", "conversation_instructions"];
  const knowledge = objectsOf(extras.microagent_knowledge).map(({ content }) => textOf(content));
  return [...names.map((name) => textOf(extras[name])), ...knowledge].filter((text) => text !== "").join("\n\n");
}

/** Id of an event, which links calls and results if the provider's ids are not stored: this and the event's number. */
export const EVENT_ID = "event-";

function eventId(id: unknown): string | undefined {
  return typeof id === "number" ? `${EVENT_ID}${id}` : undefined;
}

function messageBlocks({ content, image_urls }: JsonObject): readonly DraftBlock[] {
  return [...textBlocks(content), ...listOf(image_urls).map((url) => payloadBlock("image", url))];
}

function textBlocks(text: unknown): readonly DraftBlock[] {
  return textOf(text) === "" ? [] : [{ kind: "text", text: textOf(text) }];
}
