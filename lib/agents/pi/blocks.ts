import type { BlockKind } from "@/lib/core/transcript/model";
import { idOf } from "../ids";
import { isObject, type JsonObject, jsonOf, textOf } from "../json";
import { bashExecutionText, branchSummaryText, compactionSummaryText, declaredTools } from "./wrappers";

/** A piece of the prompt, which is fixed overhead and no part of a message. */
export interface PromptPart {
  readonly kind: "content" | "section" | "tool";
  readonly name: string;
}

/** A content block before it is measured: what the model reads of it, and what links it. */
export interface DraftBlock {
  readonly kind: BlockKind;
  readonly text: string;
  readonly callId?: string | undefined;
  readonly tool?: string | undefined;
  readonly file?: string | undefined;
  readonly isError?: boolean | undefined;
  /** Whether the text is an encoded or encrypted payload, which is measured and never kept. */
  readonly payload?: boolean | undefined;
  readonly prompt?: PromptPart | undefined;
}

export interface Draft {
  readonly blocks: readonly DraftBlock[];
  /** Names of fields and block types that were not understood. */
  readonly odd: readonly string[];
}

const NOTHING: Draft = { blocks: [], odd: [] };

/** A message without content is one empty block: pi may cut before it, so it must have a row. */
const EMPTY: DraftBlock = { kind: "text", text: "" };

/** The content blocks of one record, in order: the one place that says what of a record the model reads. */
export function draftOf(record: JsonObject): Draft {
  switch (record.type) {
    case "message":
      return isObject(record.message) ? messageDraft(record.message) : odd("message");
    case "custom_message":
      return filled(contentDraft(record.content));
    case "branch_summary": {
      const summary = textOf(record.summary);
      return summary === "" ? NOTHING : one({ kind: "text", text: branchSummaryText(summary) });
    }
    case "compaction": {
      const summary = one({ kind: "text", text: compactionSummaryText(textOf(record.summary)) });
      return joined([summary, isObject(record.systemMessage) ? promptDraft(record.systemMessage) : NOTHING]);
    }
    default:
      return NOTHING;
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
      return one({ kind: "text", text: bashExecutionText(message) });
    case "branchSummary":
      return one({ kind: "text", text: branchSummaryText(textOf(message.summary)) });
    case "compactionSummary":
      return one({ kind: "text", text: compactionSummaryText(textOf(message.summary)) });
    case "system":
      return promptDraft(message);
    default:
      return NOTHING;
  }
}

function odd(name: string): Draft {
  return { blocks: [], odd: [name] };
}

function one(block: DraftBlock): Draft {
  return { blocks: [block], odd: [] };
}

function joined(drafts: readonly Draft[]): Draft {
  return { blocks: drafts.flatMap((draft) => draft.blocks), odd: drafts.flatMap((draft) => draft.odd) };
}

function filled(draft: Draft): Draft {
  return draft.blocks.length > 0 ? draft : { ...draft, blocks: [EMPTY] };
}

/** Old files hold messages without content; that is not odd. */
function contentDraft(content: unknown): Draft {
  if (content === null || content === undefined) return NOTHING;
  if (typeof content === "string") return one({ kind: "text", text: content });
  if (!Array.isArray(content)) return odd("content");
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

/** A prompt: its text, its sections by name, the tools that it declares. Sections that are taken away have no text. */
function promptDraft(message: JsonObject): Draft {
  const content = contentDraft(message.content);
  const text = content.blocks.map((block) => block.text).join("\n");
  const sections = isObject(message.sections) ? Object.entries(message.sections) : [];
  const part = (kind: PromptPart["kind"], name: string, of: string): DraftBlock => ({
    kind: "text",
    text: of,
    prompt: { kind, name },
  });
  return {
    blocks: [
      ...(text === "" ? [] : [part("content", "system prompt", text)]),
      ...sections.flatMap(([name, value]) => (typeof value === "string" ? [part("section", name, value)] : [])),
      ...declaredTools(message).map(([name, tool]) => part("tool", name, jsonOf(tool))),
    ],
    odd: content.odd,
  };
}
