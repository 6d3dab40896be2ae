import { isObject, type JsonObject, jsonOf, textOf } from "@/lib/agents/shared/json";
import {
  type Draft,
  type DraftBlock,
  draftOfBlock,
  joinedDrafts,
  NO_DRAFT,
  oddDraft,
} from "@/lib/core/transcript/draft";
import { branchSummaryText, compactionSummaryText } from "./wrappers";

/** The rules for content that each agent writes in its own way. */
export interface BlockRules {
  /** The block of a content part; `undefined` for unknown kinds. Texts and images are the same for all agents. */
  readonly part: (part: JsonObject) => DraftBlock | undefined;
  /** The links that a result has to its call. */
  readonly resultLinks: (message: JsonObject) => Pick<DraftBlock, "callId" | "tool">;
  /** The draft of a message whose role is not the same for all agents. */
  readonly message: (message: JsonObject) => Draft;
}

/** The content blocks of one record, in order: all content that the model reads. */
export function entryDraft(record: JsonObject, rules: BlockRules): Draft {
  switch (record.type) {
    case "message":
      return isObject(record.message) ? messageDraft(record.message, rules) : oddDraft("message");
    case "custom_message":
      return filled(contentDraft(record.content, rules));
    case "branch_summary": {
      const summary = textOf(record.summary);
      return summary === "" ? NO_DRAFT : draftOfText(branchSummaryText(summary));
    }
    case "compaction":
      return draftOfText(compactionSummaryText(textOf(record.summary)));
    default:
      return NO_DRAFT;
  }
}

function messageDraft(message: JsonObject, rules: BlockRules): Draft {
  switch (message.role) {
    case "user":
    case "assistant":
    case "custom":
    case "hookMessage":
      return filled(contentDraft(message.content, rules));
    case "toolResult":
      return resultDraft(message, rules);
    case "branchSummary":
      return draftOfText(branchSummaryText(textOf(message.summary)));
    case "compactionSummary":
      return draftOfText(compactionSummaryText(textOf(message.summary)));
    default:
      return rules.message(message);
  }
}

/** The draft of one text. */
export function draftOfText(text: string): Draft {
  return draftOfBlock({ kind: "text", text });
}

/** Gives a message without content one empty block: a compaction may cut before it, so it must have a row. */
function filled(draft: Draft): Draft {
  return draft.blocks.length > 0 ? draft : { ...draft, blocks: [{ kind: "text", text: "" }] };
}

/** The draft of a message's content. Old files hold messages without any, which is not odd. */
export function contentDraft(content: unknown, { part }: Pick<BlockRules, "part">): Draft {
  if (content === null || content === undefined) return NO_DRAFT;
  if (typeof content === "string") return draftOfText(content);
  if (!Array.isArray(content)) return oddDraft("content");
  return joinedDrafts(content.map((one: unknown) => (isObject(one) ? partDraft(one, part) : oddDraft("content part"))));
}

function partDraft(part: JsonObject, ownBlock: BlockRules["part"]): Draft {
  if (part.type === "text") return draftOfText(textOf(part.text));
  if (part.type === "image") return draftOfBlock({ kind: "image", text: textOf(part.data), payload: true });
  const known = ownBlock(part);
  if (known !== undefined) return draftOfBlock(known);
  return { blocks: [{ kind: "text", text: jsonOf(part) }], odd: [`content ${textOf(part.type)}`] };
}

/** The draft of a result: its texts as one block, then each of its images as a block. */
function resultDraft(message: JsonObject, rules: BlockRules): Draft {
  const { blocks, odd } = contentDraft(message.content, rules);
  const texts = blocks.filter(({ kind }) => kind !== "image").map(({ text }) => text);
  const result: DraftBlock = {
    kind: "tool_result",
    text: texts.join(""),
    ...rules.resultLinks(message),
    isError: message.isError === true,
  };
  return { blocks: [result, ...blocks.filter(({ kind }) => kind === "image")], odd };
}
