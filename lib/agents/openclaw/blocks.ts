import { type Draft, type DraftBlock, draftOfBlock, NO_DRAFT, oddDraft } from "@/lib/core/transcript/draft";
import { idOf } from "../ids";
import { type AgentMessage, toolCallOf } from "./message";
import { bashText } from "./pressure";
import { filledText, isObject, type JsonObject, jsonOf, objectOf, textOf } from "./value";
import { branchText, summaryText } from "./wrappers";

/** The content blocks of one record, in order: the one place that says what of a record the model reads. */
export function draftOf(record: JsonObject): Draft {
  switch (record.type) {
    case "message":
      return isObject(record.message) ? messageDraft(record.message) : oddDraft("message");
    case "custom_message":
      return filled(contentDraft(record.content));
    case "branch_summary": {
      const summary = filledText(record.summary);
      return summary === undefined ? NO_DRAFT : draftOfBlock({ kind: "text", text: branchText(summary) });
    }
    case "compaction":
      return draftOfBlock({ kind: "text", text: summaryText(textOf(record.summary) ?? "") });
    default:
      return NO_DRAFT;
  }
}

function messageDraft(message: AgentMessage): Draft {
  switch (message.role) {
    case "user":
    case "assistant":
    case "custom":
    case "hookMessage":
      return filled(contentDraft(message.content));
    case "toolResult":
      return resultDraft(message);
    case "bashExecution":
      // What a person ran and kept to himself is never sent.
      return message.excludeFromContext === true ? NO_DRAFT : draftOfBlock({ kind: "text", text: bashText(message) });
    case "branchSummary":
      return draftOfBlock({ kind: "text", text: branchText(textOf(message.summary) ?? "") });
    case "compactionSummary":
      return draftOfBlock({ kind: "text", text: summaryText(textOf(message.summary) ?? "") });
    default:
      return NO_DRAFT;
  }
}

/** A message without content is one empty block: a compaction may cut before it, so it must have a row. */
function filled(draft: Draft): Draft {
  return draft.blocks.length > 0 ? draft : { ...draft, blocks: [{ kind: "text", text: "" }] };
}

/** Old files hold messages without content; that is not odd. */
function contentDraft(content: unknown): Draft {
  if (content === null || content === undefined) return NO_DRAFT;
  if (typeof content === "string") return draftOfBlock({ kind: "text", text: content });
  if (!Array.isArray(content)) return oddDraft("content");
  const drafts = content.map(partDraft);
  return { blocks: drafts.flatMap((draft) => draft.blocks), odd: drafts.flatMap((draft) => draft.odd) };
}

function partDraft(part: unknown): Draft {
  if (!isObject(part)) return oddDraft("content part");
  switch (part.type) {
    case "text":
      return draftOfBlock({ kind: "text", text: textOf(part.text) ?? "" });
    case "thinking":
    case "redacted_thinking":
      return draftOfBlock(thinkingBlock(part));
    case "toolCall":
    case "toolUse":
    case "functionCall":
      return draftOfBlock(callBlock(part));
    case "image":
      return draftOfBlock({ kind: "image", text: textOf(part.data) ?? "", payload: true });
    // Results within a result, as some tools give them: text.
    case "toolResult":
    case "tool_result":
      return draftOfBlock({ kind: "text", text: filledText(part.text) ?? textOf(part.content) ?? "" });
    default:
      return { blocks: [{ kind: "text", text: jsonOf(part) ?? "" }], odd: [`content ${textOf(part.type) ?? ""}`] };
  }
}

/** Redacted reasoning has no text; what is sent back for it is its encrypted payload. */
function thinkingBlock(part: JsonObject): DraftBlock {
  const thinking = filledText(part.thinking);
  const isRedacted = part.type === "redacted_thinking" || part.redacted === true;
  return thinking === undefined && isRedacted
    ? { kind: "thinking", text: textOf(part.data) ?? textOf(part.thinkingSignature) ?? "", payload: true }
    : { kind: "thinking", text: thinking ?? "" };
}

function callBlock(part: JsonObject): DraftBlock {
  const args = part.arguments ?? part.input ?? {};
  return {
    kind: "tool_call",
    text: jsonOf(args) ?? "",
    callId: idOf(toolCallOf(part)?.id),
    tool: textOf(part.name),
    file: fileOfCall(objectOf(args)),
  };
}

/** The file that a call names, by any of the names that releases know. */
function fileOfCall(args: JsonObject): string | undefined {
  return filledText([args.path, args.file_path, args.filePath].find((value) => typeof value === "string"));
}

/** A result: its texts as one block, then its images as blocks of their own. */
function resultDraft(message: AgentMessage): Draft {
  const content = contentDraft(message.content);
  const result: DraftBlock = {
    kind: "tool_result",
    text: content.blocks
      .filter((block) => block.kind !== "image")
      .map((block) => block.text)
      .join(""),
    callId: idOf(message.toolCallId) ?? idOf(message.toolUseId),
    tool: filledText(message.toolName),
    isError: message.isError === true,
  };
  return { blocks: [result, ...content.blocks.filter((block) => block.kind === "image")], odd: content.odd };
}
