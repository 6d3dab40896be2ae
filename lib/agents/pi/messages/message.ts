import { isObject, type JsonObject, textOf } from "@/lib/agents/shared/json";

/** A content block of pi. `other` is a kind that its rules ignore: signatures, redacted reasoning, unknown kinds. */
export type PiBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string }
  | { readonly type: "toolCall"; readonly id: string; readonly name: string; readonly arguments: unknown }
  | { readonly type: "image"; readonly data: string }
  | { readonly type: "other" };

export type PiContent = string | readonly PiBlock[];

/** Usage that the provider reported, as recorded: missing fields stay missing. */
export interface PiUsage {
  readonly input: unknown;
  readonly output: unknown;
  readonly cacheRead: unknown;
  readonly cacheWrite: unknown;
  readonly totalTokens: unknown;
}

interface UserMessage {
  readonly role: "user";
  readonly content: PiContent;
}

export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly PiBlock[];
  readonly provider?: string;
  readonly model?: string;
  readonly stopReason?: string;
  readonly errorMessage?: string;
  readonly usage?: PiUsage;
}

interface ToolResultMessage {
  readonly role: "toolResult";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: PiContent;
  readonly isError: boolean;
  /** Calls that a script made from within this one (1.5). */
  readonly nestedCalls: readonly { readonly name: string; readonly arguments: unknown }[];
}

interface CustomMessage {
  readonly role: "custom";
  readonly content: PiContent;
}

interface BashExecutionMessage {
  readonly role: "bashExecution";
  readonly command: string;
  readonly output: string;
}

interface BranchSummaryMessage {
  readonly role: "branchSummary";
  readonly summary: string;
}

interface CompactionSummaryMessage {
  readonly role: "compactionSummary";
  readonly summary: string;
  readonly tokensBefore: unknown;
}

/** Prompt and tools, complete or as a patch (1.x). */
export interface SystemMessage {
  readonly role: "system";
  readonly content: PiContent;
  /** Sections by name; `null` removes a section. */
  readonly sections: readonly (readonly [string, string | null])[];
  readonly toolsAdded: readonly unknown[] | undefined;
  readonly toolsRemoved: readonly string[];
}

/** A message as pi holds it. `other` is a role that none of its rules knows. */
export type PiMessage =
  | UserMessage
  | AssistantMessage
  | ToolResultMessage
  | CustomMessage
  | BashExecutionMessage
  | BranchSummaryMessage
  | CompactionSummaryMessage
  | SystemMessage
  | { readonly role: "other"; readonly name: string };

/** Makes a message from JSON of any shape. Missing content becomes empty, as pi 1.5 repairs it. Source: README.md, "Context of a path". */
export function toMessage(value: unknown): PiMessage {
  const message = isObject(value) ? value : {};
  switch (message.role) {
    case "user":
      return { role: "user", content: toContent(message.content) };
    case "assistant":
      return toAssistant(message);
    case "toolResult":
      return toToolResult(message);
    case "custom":
      return { role: "custom", content: toContent(message.content) };
    case "bashExecution":
      return { role: "bashExecution", command: textOf(message.command), output: textOf(message.output) };
    case "branchSummary":
      return { role: "branchSummary", summary: textOf(message.summary) };
    case "compactionSummary":
      return { role: "compactionSummary", summary: textOf(message.summary), tokensBefore: message.tokensBefore };
    case "system":
      return toSystem(message);
    default:
      return { role: "other", name: textOf(message.role) };
  }
}

/** Makes content from JSON: a text, or blocks; anything else becomes empty. */
export function toContent(value: unknown): PiContent {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map(toBlock) : [];
}

function toBlock(value: unknown): PiBlock {
  if (!isObject(value)) return { type: "other" };
  switch (value.type) {
    case "text":
      return { type: "text", text: textOf(value.text) };
    case "thinking":
      return { type: "thinking", thinking: textOf(value.thinking) };
    case "toolCall":
      return { type: "toolCall", id: textOf(value.id), name: textOf(value.name), arguments: value.arguments ?? {} };
    case "image":
      return { type: "image", data: textOf(value.data) };
    default:
      return { type: "other" };
  }
}

function toAssistant(message: JsonObject): AssistantMessage {
  const content = toContent(message.content);
  return {
    role: "assistant",
    // A text instead of blocks has none of the kinds that the rule looks for.
    content: typeof content === "string" ? [] : content,
    ...optional("provider", message.provider),
    ...optional("model", message.model),
    ...optional("stopReason", message.stopReason),
    ...optional("errorMessage", message.errorMessage),
    ...(isObject(message.usage) ? { usage: toUsage(message.usage) } : {}),
  };
}

function optional<Key extends string>(key: Key, value: unknown): { readonly [K in Key]?: string } {
  // The computed key is `Key` itself, but TypeScript widens it to string.
  return (typeof value === "string" ? { [key]: value } : {}) as { readonly [K in Key]?: string };
}

/** Makes a usage from JSON, with its numbers unchanged. */
export function toUsage(usage: JsonObject): PiUsage {
  return {
    input: usage.input,
    output: usage.output,
    cacheRead: usage.cacheRead,
    cacheWrite: usage.cacheWrite,
    totalTokens: usage.totalTokens,
  };
}

function toToolResult(message: JsonObject): ToolResultMessage {
  const nested = isObject(message.nestedCalls) ? message.nestedCalls.calls : undefined;
  return {
    role: "toolResult",
    toolCallId: textOf(message.toolCallId),
    toolName: textOf(message.toolName),
    content: toContent(message.content),
    isError: message.isError === true,
    nestedCalls: (Array.isArray(nested) ? nested : [])
      .filter(isObject)
      .map((call) => ({ name: textOf(call.name), arguments: call.arguments })),
  };
}

function toSystem(message: JsonObject): SystemMessage {
  const sections = isObject(message.sections) ? Object.entries(message.sections) : [];
  const removed = Array.isArray(message.toolsRemoved) ? message.toolsRemoved : [];
  return {
    role: "system",
    content: toContent(message.content),
    sections: sections.map(([name, text]) => [name, typeof text === "string" ? text : null]),
    toolsAdded: Array.isArray(message.toolsAdded) ? message.toolsAdded : undefined,
    toolsRemoved: removed.filter(isObject).map((tool) => textOf(tool.name)),
  };
}

/** True if a message is a response that failed or was aborted: it is not sent again. Source: README.md, "Sent messages". */
export function isFailed(message: PiMessage): boolean {
  return message.role === "assistant" && (message.stopReason === "error" || message.stopReason === "aborted");
}

/** The texts of a content, joined; images are omitted. */
export function contentText(content: PiContent, separator: string): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(separator);
}
