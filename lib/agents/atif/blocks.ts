import type { DraftBlock, DraftMessage, DraftOverhead } from "@/lib/core/transcript/draft";
import { idOf, nameOf } from "../ids";
import { isObject, type JsonObject, jsonOf, objectOf, objectsOf, textOf, textOrJson } from "../json";

/** A step, with what the model read of it. */
export interface DraftStep {
  readonly value: JsonObject;
  readonly overhead: readonly DraftOverhead[];
  readonly messages: readonly DraftMessage[];
}

/** The content of one trajectory: first its declared tools, then its steps. */
export interface Draft {
  readonly tools: readonly DraftOverhead[];
  readonly steps: readonly DraftStep[];
}

/** The trajectory's texts in the order of their parts. */
export function textsOf({ tools, steps }: Draft): readonly string[] {
  const inSteps = steps.flatMap(({ overhead, messages }) => [...overhead, ...messages.flatMap(({ blocks }) => blocks)]);
  return [...tools, ...inSteps].map(({ text }) => text);
}

export function draftOf(trajectory: JsonObject): Draft {
  const steps = objectsOf(trajectory.steps);
  const first = steps.findIndex(({ source }) => source !== "system");
  const begun = first < 0 ? steps.length : first;
  const tools = objectsOf(objectOf(trajectory.agent).tool_definitions).map(toolDeclaration);
  return { tools, steps: steps.map((step, index) => stepDraft(step, index < begun)) };
}

/** A tool's declaration in the form that OpenAI's APIs take. */
function toolDeclaration(tool: JsonObject): DraftOverhead {
  const name = nameOf(objectOf(tool.function).name) ?? nameOf(tool.name) ?? "tool without a name";
  return { category: name.startsWith("mcp__") ? "mcpTools" : "builtinTools", name, text: jsonOf(tool) };
}

/** @param isPrompt whether nobody has spoken before: a system step is then the system prompt */
function stepDraft(value: JsonObject, isPrompt: boolean): DraftStep {
  const results = objectsOf(objectOf(value.observation).results);
  if (isCompaction(value)) return { value, overhead: [], messages: summaryMessages(results) };
  const content = contentBlocks(value.message);
  if (value.source === "system" && isPrompt) {
    const overhead = content.map(({ text }) => ({ category: "systemPrompt" as const, name: "system prompt", text }));
    return { value, overhead, messages: results.map(contextMessage) };
  }
  const first = spokenMessage(value, content);
  const isSystem = value.source === "system";
  const rest = results.map((result) => (isSystem ? contextMessage(result) : resultMessage(result)));
  return { value, overhead: [], messages: first === undefined ? rest : [first, ...rest] };
}

function spokenMessage(step: JsonObject, content: readonly DraftBlock[]): DraftMessage | undefined {
  if (step.source === "agent") return { role: "assistant", origin: "response", blocks: responseBlocks(step, content) };
  if (content.length === 0) return undefined;
  return step.source === "user"
    ? { role: "user", origin: "typed", blocks: content }
    : { role: "system", origin: "context", blocks: content };
}

/** Whether it is a system step that says that everything before it was replaced. Source: RFC v1.7, §VII, `context_management`. */
export function isCompaction({ source, extra }: JsonObject): boolean {
  const { type, boundary } = objectOf(objectOf(extra).context_management);
  return source === "system" && (type === "compaction" || boundary === "replace");
}

/** The summary is in the step's observation; the step's message describes what happened, and no model reads it. */
function summaryMessages(results: readonly JsonObject[]): readonly DraftMessage[] {
  const blocks = results.flatMap(({ content }) => contentBlocks(content));
  return blocks.length === 0 ? [] : [{ role: "user", origin: "summary", blocks }];
}

function responseBlocks(step: JsonObject, content: readonly DraftBlock[]): readonly DraftBlock[] {
  const thinking = textOf(step.reasoning_content);
  const calls = objectsOf(step.tool_calls).map(callBlock);
  const blocks = [...(thinking === "" ? [] : [{ kind: "thinking" as const, text: thinking }]), ...content, ...calls];
  return blocks.length === 0 ? [{ kind: "text", text: "" }] : blocks;
}

function callBlock({ tool_call_id, function_name, arguments: given }: JsonObject): DraftBlock {
  const { path, file_path } = objectOf(given);
  return {
    kind: "tool_call",
    text: textOrJson(given),
    callId: idOf(tool_call_id),
    tool: nameOf(function_name),
    file: nameOf(file_path) ?? nameOf(path),
  };
}

/** The result of a call, or of an action that is no call and so has no link. A subagent's reference is no text. */
function resultMessage(result: JsonObject): DraftMessage {
  const [first = { kind: "text", text: "" } as const, ...rest] = contentBlocks(result.content);
  const isError = objectOf(result.extra).is_error === true;
  const callId = idOf(result.source_call_id);
  return { role: "user", origin: "tool", blocks: [asResult(first, callId, isError), ...rest] };
}

function asResult(block: DraftBlock, callId: string | undefined, isError: boolean): DraftBlock {
  return block.kind === "text" ? { ...block, kind: "tool_result", callId, isError } : block;
}

function contextMessage(result: JsonObject): DraftMessage {
  return { role: "system", origin: "context", blocks: contentBlocks(result.content) };
}

/** The blocks of content that is a text, or since v1.6 a list of texts and images. */
function contentBlocks(content: unknown): readonly DraftBlock[] {
  if (content === undefined || content === null || content === "") return [];
  return (Array.isArray(content) ? content : [content]).map((part): DraftBlock => {
    if (!isObject(part)) return { kind: "text", text: textOrJson(part) };
    if (part.type === "text") return { kind: "text", text: textOf(part.text) };
    if (part.type === "image") return { kind: "image", text: textOrJson(part.source), payload: true };
    return { kind: "text", text: jsonOf(part), odd: `content ${textOf(part.type) || "part"}` };
  });
}
