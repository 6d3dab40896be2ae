import { type Draft, type DraftBlock, NO_DRAFT } from "@/lib/core/transcript/draft";
import { type BlockRules, draftOfText, entryDraft } from "../../entry-tree/blocks";
import { idOf } from "../../ids";
import { toolCallOf } from "../messages/message";
import { filledText, type JsonObject, jsonOf, objectOf, textOf } from "../messages/value";
import { bashText } from "../sent/pressure";

const RULES: BlockRules = {
  part: partBlock,
  resultLinks: (message) => ({
    callId: idOf(message.toolCallId) ?? idOf(message.toolUseId),
    tool: filledText(message.toolName),
  }),
  // What a person ran and kept out of the context is never sent.
  message: (message) =>
    message.role === "bashExecution" && message.excludeFromContext !== true ? draftOfText(bashText(message)) : NO_DRAFT,
};

/** The content blocks of one record, in order. This is the only place that decides what the model reads in a record. */
export function draftOf(record: JsonObject): Draft {
  return entryDraft(record, RULES);
}

function partBlock(part: JsonObject): DraftBlock | undefined {
  switch (part.type) {
    case "thinking":
    case "redacted_thinking":
      return thinkingBlock(part);
    case "toolCall":
    case "toolUse":
    case "functionCall":
      return callBlock(part);
    // Results within a result, which some tools return, count as text.
    case "toolResult":
    case "tool_result":
      return { kind: "text", text: filledText(part.text) ?? textOf(part.content) ?? "" };
    default:
      return undefined;
  }
}

/** Redacted reasoning has no text; its encrypted payload is sent back instead. */
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

/** The file that a call names, under any of the names that the releases know. */
function fileOfCall(args: JsonObject): string | undefined {
  return filledText([args.path, args.file_path, args.filePath].find((value) => typeof value === "string"));
}
