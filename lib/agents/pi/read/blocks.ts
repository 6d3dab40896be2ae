import { type Draft, type DraftBlock, joinedDrafts, NO_DRAFT } from "@/lib/core/transcript/draft";
import { type BlockRules, contentDraft, draftOfText, entryDraft } from "../../entry-tree/blocks";
import type { PromptPart } from "../../entry-tree/nodes";
import { idOf } from "../../ids";
import { isObject, type JsonObject, jsonOf, textOf } from "../../json";
import { bashExecutionText, declaredTools } from "../messages/wrappers";

const RULES: BlockRules = {
  part: partBlock,
  resultLinks: (message) => ({
    callId: idOf(message.toolCallId),
    tool: typeof message.toolName === "string" ? message.toolName : undefined,
  }),
  message: (message) => {
    if (message.role === "bashExecution") return draftOfText(bashExecutionText(message));
    return message.role === "system" ? oddContent(message) : NO_DRAFT;
  },
};

/** The content blocks of one record, in order. With `promptOf`, this is the only place that decides what the model reads in a record. */
export function draftOf(record: JsonObject): Draft {
  const draft = entryDraft(record, RULES);
  if (record.type !== "compaction" || !isObject(record.systemMessage)) return draft;
  return joinedDrafts([draft, oddContent(record.systemMessage)]);
}

/** Reports the parts of a prompt that were not understood; its texts are no blocks. */
function oddContent(message: JsonObject): Draft {
  return { ...contentDraft(message.content, RULES), blocks: [] };
}

function partBlock(part: JsonObject): DraftBlock | undefined {
  if (part.type === "thinking") return thinkingBlock(part);
  return part.type === "toolCall" ? callBlock(part) : undefined;
}

/** Redacted reasoning has no text; its encrypted payload is sent back instead. */
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

/** A piece of the prompt before it is measured. */
export interface PromptDraft extends DraftBlock {
  readonly prompt: PromptPart;
}

/** The parts of a prompt that a record holds; they come after the record's blocks. */
export function promptOf(record: JsonObject): readonly PromptDraft[] {
  if (record.type === "compaction") return isObject(record.systemMessage) ? promptParts(record.systemMessage) : [];
  const message = record.type === "message" && isObject(record.message) ? record.message : {};
  return message.role === "system" ? promptParts(message) : [];
}

/** A prompt's text, its sections by name, and the tools that it declares. Removed sections have no text. */
function promptParts(message: JsonObject): readonly PromptDraft[] {
  const text = contentDraft(message.content, RULES)
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
