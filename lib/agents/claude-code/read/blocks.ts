import { idOf } from "@/lib/agents/shared/ids";
import { jsonOf, textOf } from "@/lib/agents/shared/json";
import { isObject } from "@/lib/core/records/fields";
import {
  type Draft,
  type DraftBlock,
  draftOfBlock,
  joinedDrafts,
  NO_DRAFT,
  oddDraft,
} from "@/lib/core/transcript/draft";

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The content blocks of one record, in order. The only place that decides which parts of a record the model reads. `toolUseResult` is a second copy
 * that is not sent; copies of a subagent's messages in `progress` records do not belong to this context.
 */
export function draftOf(record: JsonObject): Draft {
  switch (record.type) {
    case "user":
    case "assistant":
      return isObject(record.message) ? contentDraft(record.message.content, "content") : oddDraft("message");
    case "attachment":
      return isObject(record.attachment) ? attachmentDraft(record.attachment) : oddDraft("attachment");
    case "system":
      return record.subtype === "local_command" ? contentDraft(record.content, "content") : NO_DRAFT;
    case "result":
      return typeof record.result === "string" && "session_id" in record
        ? contentDraft(record.result, "result")
        : NO_DRAFT;
    default:
      return NO_DRAFT;
  }
}

function contentDraft(content: unknown, name: string): Draft {
  if (typeof content === "string") return { blocks: [{ kind: "text", text: content }], odd: [] };
  if (!Array.isArray(content)) return oddDraft(name);
  return joinedDrafts(content.map(partDraft));
}

function partDraft(part: unknown): Draft {
  if (typeof part === "string") return { blocks: [{ kind: "text", text: part }], odd: ["content string"] };
  if (!isObject(part)) return oddDraft("content part");
  switch (part.type) {
    case "text":
      return draftOfBlock({ kind: "text", text: textOf(part.text) });
    case "thinking":
      return draftOfBlock({ kind: "thinking", text: textOf(part.thinking) });
    case "redacted_thinking":
      return draftOfBlock({ kind: "thinking", text: textOf(part.data), payload: true });
    case "tool_use":
      return draftOfBlock(callBlock(part));
    case "tool_result":
      return resultDraft(part);
    case "image":
      return draftOfBlock({ kind: "image", text: payloadOf(part.source), payload: true });
    case "document":
      return draftOfBlock(documentBlock(part));
    // The provider runs these itself: neither a call nor a result of the agent.
    case "server_tool_use":
    case "web_search_tool_result":
    case "web_fetch_tool_result":
    case "tool_reference":
      return draftOfBlock({ kind: "text", text: jsonOf(part) });
    default:
      return { blocks: [{ kind: "text", text: jsonOf(part) }], odd: [`content ${textOf(part.type)}`] };
  }
}

function callBlock(part: JsonObject): DraftBlock {
  const input = isObject(part.input) ? part.input : {};
  const file = [input.file_path, input.path, input.notebook_path].find((value) => typeof value === "string");
  return {
    kind: "tool_call",
    text: jsonOf(part.input ?? {}),
    callId: idOf(part.id),
    tool: typeof part.name === "string" ? part.name : undefined,
    // `find` does not narrow the type of the element, so it is checked again.
    file: typeof file === "string" ? file : undefined,
  };
}

/** The draft of a result: its texts as one block, then each of its images as a block. */
function resultDraft(part: JsonObject): Draft {
  const content = contentDraft(part.content ?? "", "tool_result content");
  const texts = content.blocks.filter((block) => block.kind !== "image").map((block) => block.text);
  const result: DraftBlock = {
    kind: "tool_result",
    text: texts.length === 1 ? (texts[0] ?? "") : texts.join(""),
    callId: idOf(part.tool_use_id),
    isError: part.is_error === true,
  };
  return { blocks: [result, ...content.blocks.filter((block) => block.kind === "image")], odd: content.odd };
}

/** The block of a document. It is sent as pages, so its payload is not text, unless the document was given as text. */
function documentBlock(part: JsonObject): DraftBlock {
  const source = isObject(part.source) ? part.source : {};
  return source.type === "text" || source.type === "content"
    ? { kind: "text", text: typeof source.data === "string" ? source.data : jsonOf(source.content ?? "") }
    : { kind: "image", text: payloadOf(source), payload: true };
}

function payloadOf(source: unknown): string {
  if (!isObject(source)) return "";
  return textOf(source.data) || textOf(source.url);
}

/** Kinds of attachment that only the user sees. */
const NOT_SENT = new Set([
  "command_permissions",
  "hook_cancelled",
  "hook_error_during_execution",
  "hook_non_blocking_error",
  "hook_permission_decision",
  "hook_stopped_continuation",
  "hook_system_message",
  "structured_output",
]);

/** Hooks whose output the model reads even if they succeed. Source: the hooks reference of Claude Code's documentation. */
const HOOKS_THAT_ADD_CONTEXT = new Set(["SessionStart", "UserPromptSubmit"]);

/** The text of an attachment. Text that the agent renders only at sending is not in the file, and so not here. */
function attachmentDraft(attachment: JsonObject): Draft {
  const type = textOf(attachment.type);
  if (NOT_SENT.has(type)) return NO_DRAFT;
  if (type === "hook_success" && !HOOKS_THAT_ADD_CONTEXT.has(textOf(attachment.hookEvent))) return NO_DRAFT;
  if (Array.isArray(attachment.prompt)) return joinedDrafts(attachment.prompt.map(partDraft));
  const text = ATTACHED_TEXT.map((read) => read(attachment)).find((value) => value !== "");
  const file = textOf(attachment.path) || textOf(attachment.filename);
  return text === undefined ? NO_DRAFT : draftOfBlock({ kind: "text", text, file: file === "" ? undefined : file });
}

/** Fields that may hold an attachment's text, by kind; the first with a text wins. */
const ATTACHED_TEXT: readonly ((attachment: JsonObject) => string)[] = [
  ({ prompt }) => textOf(prompt),
  ({ content }) => attachedContent(content),
  ({ snippet }) => textOf(snippet),
  ({ addedBlocks }) => lines(addedBlocks),
  ({ addedLines }) => lines(addedLines),
  ({ addedNames }) => lines(addedNames),
  ({ planContent }) => textOf(planContent),
  ({ skills }) => contents(skills),
  ({ files }) => contents(files),
  ({ blockingError }) => (isObject(blockingError) ? textOf(blockingError.blockingError) : ""),
  ({ text }) => textOf(text),
  ({ stdout }) => textOf(stdout),
];

/** The text of content that is a text, lines of text, a list of tasks, or an object with the text one or two levels down. */
function attachedContent(content: unknown): string {
  if (Array.isArray(content)) {
    if (content.length === 0) return "";
    return content.every((line) => typeof line === "string") ? content.join("\n") : jsonOf(content);
  }
  if (!isObject(content)) return textOf(content);
  return textOf(content.content) || (isObject(content.file) ? textOf(content.file.content) : "");
}

function lines(value: unknown): string {
  return Array.isArray(value) ? value.filter((line) => typeof line === "string").join("\n") : "";
}

function contents(value: unknown): string {
  return Array.isArray(value) ? value.map((entry) => attachedContent(entry)).join("\n") : "";
}
