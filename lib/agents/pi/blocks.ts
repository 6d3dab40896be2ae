import { type Draft, type DraftBlock, draftOfBlock, NO_DRAFT, oddDraft } from "@/lib/core/transcript/draft";
import { idOf } from "../ids";
import { isObject, type JsonObject, jsonOf, textOf } from "../json";
import { bashExecutionText, branchSummaryText, compactionSummaryText, declaredTools } from "./wrappers";

/** A piece of the prompt, which is fixed overhead and no part of a message. */
export interface PromptPart {
  readonly kind: "content" | "section" | "tool";
  readonly name: string;
}

/** A message without content is one empty block: pi may cut before it, so it must have a row. */
const EMPTY: DraftBlock = { kind: "text", text: "" };

/** The content blocks of one record, in order; with `promptOf` the one place that says what of a record the model reads. */
export function draftOf(record: JsonObject): Draft {
  switch (record.type) {
    case "message":
      return isObject(record.message) ? messageDraft(record.message) : oddDraft("message");
    case "custom_message":
      return filled(contentDraft(record.content));
    case "branch_summary": {
      const summary = textOf(record.summary);
      return summary === "" ? NO_DRAFT : draftOfBlock({ kind: "text", text: branchSummaryText(summary) });
    }
    case "compaction": {
      const { odd } = isObject(record.systemMessage) ? contentDraft(record.systemMessage.content) : NO_DRAFT;
      return { blocks: [{ kind: "text", text: compactionSummaryText(textOf(record.summary)) }], odd };
    }
    default:
      return NO_DRAFT;
  }
}

function messageDraft(message: JsonObject): Draft {
  switch (message.role) {
    case "user":
    case "custom":
    case "hookMessage":
      return filled(contentDraft(message.content));
    case "assistant":
      return filled(contentDraft(message.content));
    case "toolResult":
      return resultDraft(message);
    case "bashExecution":
      return draftOfBlock({ kind: "text", text: bashExecutionText(message) });
    case "branchSummary":
      return draftOfBlock({ kind: "text", text: branchSummaryText(textOf(message.summary)) });
    case "compactionSummary":
      return draftOfBlock({ kind: "text", text: compactionSummaryText(textOf(message.summary)) });
    case "system":
      return { ...contentDraft(message.content), blocks: [] };
    default:
      return NO_DRAFT;
  }
}

function filled(draft: Draft): Draft {
  return draft.blocks.length > 0 ? draft : { ...draft, blocks: [EMPTY] };
}

/** Old files hold messages without content; that is not odd. */
function contentDraft(content: unknown): Draft {
  if (content === null || content === undefined) return NO_DRAFT;
  if (typeof content === "string") return draftOfBlock({ kind: "text", text: content });
  if (!Array.isArray(content)) return oddDraft("content");
  const draft: { readonly blocks: DraftBlock[]; readonly odd: string[] } = { blocks: [], odd: [] };
  for (const part of content) {
    if (!isObject(part)) draft.odd.push("content part");
    else {
      if (!PARTS.has(part.type)) draft.odd.push(`content ${textOf(part.type)}`);
      draft.blocks.push(partBlock(part));
    }
  }
  return draft;
}

const PARTS: ReadonlySet<unknown> = new Set(["text", "thinking", "toolCall", "image"]);

function partBlock(part: JsonObject): DraftBlock {
  switch (part.type) {
    case "text":
      return { kind: "text", text: textOf(part.text) };
    case "thinking":
      return thinkingBlock(part);
    case "toolCall":
      return callBlock(part);
    case "image":
      return { kind: "image", text: textOf(part.data), payload: true };
    default:
      return { kind: "text", text: jsonOf(part) };
  }
}

/** Redacted reasoning has no text; what is sent back for it is its encrypted payload. */
function thinkingBlock(part: JsonObject): DraftBlock {
  const thinking = textOf(part.thinking);
  const redacted = part.redacted === true && thinking === "";
  return redacted
    ? { kind: "thinking", text: textOf(part.thinkingSignature), payload: true }
    : { kind: "thinking", text: thinking };
}

function callBlock(part: JsonObject): DraftBlock {
  const path = isObject(part.arguments) ? part.arguments.path : undefined;
  return {
    kind: "tool_call",
    text: jsonOf(part.arguments ?? {}),
    callId: idOf(part.id),
    tool: typeof part.name === "string" ? part.name : undefined,
    file: typeof path === "string" && path !== "" ? path : undefined,
  };
}

/** A result: its texts as one block, then its images as blocks of their own. */
function resultDraft(message: JsonObject): Draft {
  const content = contentDraft(message.content);
  const result: DraftBlock = {
    kind: "tool_result",
    text: content.blocks
      .filter((block) => block.kind !== "image")
      .map((block) => block.text)
      .join(""),
    callId: idOf(message.toolCallId),
    tool: typeof message.toolName === "string" ? message.toolName : undefined,
    isError: message.isError === true,
  };
  return { blocks: [result, ...content.blocks.filter((block) => block.kind === "image")], odd: content.odd };
}

/** A piece of the prompt before it is measured. */
export interface PromptDraft extends DraftBlock {
  readonly prompt: PromptPart;
}

/** What of the prompt a record holds: it stands behind the record's blocks. */
export function promptOf(record: JsonObject): readonly PromptDraft[] {
  if (record.type === "compaction") return isObject(record.systemMessage) ? promptParts(record.systemMessage) : [];
  const message = record.type === "message" && isObject(record.message) ? record.message : {};
  return message.role === "system" ? promptParts(message) : [];
}

/** A prompt: its text, its sections by name, the tools that it declares. Sections that are taken away have no text. */
function promptParts(message: JsonObject): readonly PromptDraft[] {
  const text = contentDraft(message.content)
    .blocks.map((block) => block.text)
    .join("\n");
  const sections = isObject(message.sections) ? Object.entries(message.sections) : [];
  const part = (kind: PromptPart["kind"], name: string, of: string): PromptDraft => ({
    kind: "text",
    text: of,
    prompt: { kind, name },
  });
  return [
    ...(text === "" ? [] : [part("content", "system prompt", text)]),
    ...sections.flatMap(([name, value]) => (typeof value === "string" ? [part("section", name, value)] : [])),
    ...declaredTools(message).map(([name, tool]) => part("tool", name, jsonOf(tool))),
  ];
}
