import { callBlock, contentBlocks, payloadBlock, resultBlocks, textBlock } from "@/lib/agents/shared/api-parts";
import { idOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import { textAction } from "@/lib/agents/shared/text-action";
import type { DraftBlock, DraftMessage } from "@/lib/core/transcript/draft";

/**
 * A message of a run before it is measured. `prompt`: part of the system prompt. `rejected`: the answer to a response that could not be parsed, which
 * holds the response. `end`: the end of the run, which no model read.
 */
export interface MiniMessage extends DraftMessage {
  readonly value: JsonObject;
  readonly kind: "prompt" | "response" | "rejected" | "other" | "end" | "unknown";
}

/** The run's messages in order. */
export function draftsOf(run: JsonObject): readonly MiniMessage[] {
  const values = objectsOf(run.messages);
  const first = values.findIndex(({ role }) => role !== "system");
  const promptEnd = first < 0 ? values.length : first;
  let open: string | undefined;
  return values.map((value, index) => {
    const draft = draftOf(value, index, index < promptEnd, open);
    // A call of a tool names its result; a command within a text does not.
    if (draft.kind === "response" && !Array.isArray(value.tool_calls))
      open = draft.blocks.find(({ kind }) => kind === "tool_call")?.callId;
    else open = undefined;
    return draft;
  });
}

/** @param open the call answered by a text that is in place of a result */
function draftOf(value: JsonObject, index: number, isPrompt: boolean, open: string | undefined): MiniMessage {
  if (value.object === "response") return { ...responsesApi(value), value, kind: "response" };
  if (value.type === "function_call_output")
    return { ...result(resultBlocks(value.call_id, value.output)), value, kind: "other" };
  switch (value.role) {
    case "system":
      return { role: "system", origin: "context", blocks: contentBlocks(value.content), value, kind: kindIf(isPrompt) };
    case "assistant":
      return { ...response(value, index), value, kind: "response" };
    case "tool":
      return { ...result(resultBlocks(value.tool_call_id, value.content)), value, kind: "other" };
    case "user":
      return { ...userMessage(value, index, open), value, kind: isRejection(value) ? "rejected" : "other" };
    case "exit":
      return { role: "system", origin: "context", blocks: [], value, kind: "end" };
    default:
      return { role: "system", origin: "context", blocks: contentBlocks(value.content), value, kind: "unknown" };
  }
}

function kindIf(isPrompt: boolean): MiniMessage["kind"] {
  return isPrompt ? "prompt" : "other";
}

function isRejection({ extra }: JsonObject): boolean {
  return isObject(objectOf(extra).response);
}

function result(blocks: readonly DraftBlock[]): DraftMessage {
  return { role: "user", origin: "tool", blocks };
}

/**
 * A user message: the task, a command's output (which version 1 does not mark), a notice of the program, or a person's interruption. Source:
 * src/minisweagent/agents, default.py and interactive.py.
 */
function userMessage(value: JsonObject, index: number, open: string | undefined): DraftMessage {
  const extra = objectOf(value.extra);
  const blocks = contentBlocks(value.content);
  const isOutput = "returncode" in extra || (open !== undefined && !("interrupt_type" in extra));
  if (isOutput && !callsOf(extra)) {
    const [output = textBlock(""), ...rest] = blocks;
    return result([{ ...output, kind: "tool_result", callId: open }, ...rest]);
  }
  const isNotice = extra.interrupt_type === "FormatError" || (index > 1 && !("interrupt_type" in extra));
  return { role: "user", origin: isNotice && !callsOf(extra) ? "context" : "typed", blocks };
}

/** True for a message with a command that a person ran. */
function callsOf({ actions }: JsonObject): boolean {
  return Array.isArray(actions);
}

/** Beginnings of a command in a response's text, as requested by the configurations of both versions. */
const OPENERS = ["```mswea_bash_command", "<mswea_bash_command>", "```bash"];

function response(message: JsonObject, index: number): DraftMessage {
  const calls = objectsOf(message.tool_calls).map((call) => {
    const { name, arguments: given } = objectOf(call.function);
    return callBlock(call.id, name, given);
  });
  const content = contentBlocks(message.content === "" ? undefined : message.content);
  const [only] = content;
  const start = calls.length === 0 && content.length === 1 && only?.kind === "text" ? commandIn(only.text) : -1;
  const spoken = start < 0 || only === undefined ? content : textAction(only.text, start, `command ${index}`, "bash");
  return responseOf([...thinking(message), ...spoken, ...calls]);
}

function commandIn(text: string): number {
  for (const opener of OPENERS) {
    const at = text.indexOf(opener);
    if (at >= 0) return at;
  }
  return -1;
}

function responseOf(blocks: readonly DraftBlock[]): DraftMessage {
  return { role: "assistant", origin: "response", blocks: blocks.length === 0 ? [textBlock("")] : blocks };
}

/** Reasoning, which LiteLLM sends again as signed blocks if the model has them, otherwise as text. */
function thinking({ thinking_blocks, reasoning_content, reasoning }: JsonObject): readonly DraftBlock[] {
  const signed = objectsOf(thinking_blocks);
  if (signed.length > 0) return signed.map(({ thinking: text }) => ({ kind: "thinking", text: textOf(text) }));
  const text = textOf(reasoning_content) || textOf(reasoning);
  return text === "" ? [] : [{ kind: "thinking", text }];
}

/** A response of OpenAI's Responses API: its output items. */
function responsesApi(message: JsonObject): DraftMessage {
  const blocks = objectsOf(message.output).flatMap((item): readonly DraftBlock[] => {
    if (item.type === "message") return contentBlocks(item.content);
    if (item.type === "function_call") return [callBlock(item.call_id ?? item.id, item.name, item.arguments)];
    if (item.type !== "reasoning") return [{ ...textBlock(item), odd: `output ${textOf(item.type) || "item"}` }];
    const shown = objectsOf(item.summary).map(({ text }) => textOf(text));
    const hidden = idOf(item.encrypted_content);
    if (hidden !== undefined) return [payloadBlock("thinking", hidden)];
    return [{ kind: "thinking", text: shown.join("\n") }];
  });
  return responseOf(blocks);
}
