import { callBlock, payloadBlock, textBlock } from "@/lib/agents/shared/api-parts";
import { idOf, nameOf } from "@/lib/agents/shared/ids";
import { isObject, type JsonObject, jsonOf, objectOf, objectsOf, textOf } from "@/lib/agents/shared/json";
import type { DraftBlock, DraftMessage, DraftOverhead } from "@/lib/core/transcript/draft";
import type { Sample } from "./sample";

/** The content of a sample: first the tools of its first call, then its messages; the first ones may be the system prompt. */
export interface SampleDraft {
  readonly tools: readonly DraftOverhead[];
  readonly messages: readonly (DraftMessage & { readonly isPrompt: boolean })[];
}

export function draftOf(sample: Sample): SampleDraft {
  const first = sample.messages.findIndex(({ role }) => role !== "system");
  const promptEnd = first < 0 ? sample.messages.length : first;
  const firstPrompt = sample.messages.findIndex(({ role }) => role === "user");
  const messages = sample.messages.map((message, index) => ({
    ...messageDraft(message, sample.resolve, index === firstPrompt),
    isPrompt: index < promptEnd,
  }));
  const [call] = sample.calls.values();
  return { tools: objectsOf(call?.event.tools).map(toolDeclaration), messages };
}

/** The draft's texts in the order of their parts. */
export function textsOf({ tools, messages }: SampleDraft): readonly string[] {
  return [...tools, ...messages.flatMap(({ blocks }) => blocks)].map(({ text }) => text);
}

function toolDeclaration(tool: JsonObject): DraftOverhead {
  const name = nameOf(tool.name) ?? "tool without a name";
  return { category: name.startsWith("mcp__") ? "mcpTools" : "builtinTools", name, text: jsonOf(tool) };
}

/** @param isTask true for the first user message; later ones are typed only if they say so */
function messageDraft(message: JsonObject, resolve: Sample["resolve"], isTask: boolean): DraftMessage {
  const content = contentBlocks(message.content, resolve);
  switch (message.role) {
    case "assistant": {
      const calls = objectsOf(message.tool_calls).map((call) => callBlock(call.id, call.function, call.arguments));
      const blocks = [...content, ...calls];
      return { role: "assistant", origin: "response", blocks: blocks.length === 0 ? [textBlock("")] : blocks };
    }
    case "tool": {
      const callId = idOf(message.tool_call_id);
      const { message: failure } = objectOf(message.error);
      const isError = isObject(message.error);
      const [first = textBlock(resolve(textOf(failure))), ...rest] = content;
      const result = first.kind === "text" ? { ...first, kind: "tool_result" as const, callId, isError } : first;
      return { role: "user", origin: "tool", blocks: [result, ...rest] };
    }
    case "user":
      return { role: "user", origin: isTask || isTyped(message) ? "typed" : "context", blocks: content };
    default:
      return { role: "system", origin: "context", blocks: content };
  }
}

function isTyped({ source }: JsonObject): boolean {
  return source === "input" || source === "operator";
}

/** Content is a text, or a list of parts. Source: src/inspect_ai/_util/content.py. */
function contentBlocks(content: unknown, resolve: Sample["resolve"]): readonly DraftBlock[] {
  if (typeof content === "string") return content === "" ? [] : [textBlock(resolve(content))];
  return objectsOf(content).map((part): DraftBlock => {
    switch (part.type) {
      case "text":
        return textBlock(resolve(textOf(part.text)));
      case "reasoning":
        return part.redacted === true
          ? payloadBlock("thinking", resolve(textOf(part.reasoning)))
          : { kind: "thinking", text: resolve(textOf(part.reasoning)) };
      case "image":
      case "audio":
      case "video":
      case "document":
        return payloadBlock("image", resolve(textOf(part[part.type])));
      case "tool_use":
      case "data":
        return textBlock(part);
      default:
        return { ...textBlock(part), odd: `content ${textOf(part.type) || "part"}` };
    }
  });
}
