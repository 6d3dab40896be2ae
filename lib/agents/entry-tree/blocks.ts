import {
  type Draft,
  type DraftBlock,
  draftOfBlock,
  joinedDrafts,
  NO_DRAFT,
  oddDraft,
} from "@/lib/core/transcript/draft";
import { isObject, type JsonObject, jsonOf, textOf } from "../json";
import { branchSummaryText, compactionSummaryText } from "./wrappers";

/** What an agent writes in its own way within entries. */
export interface BlockRules {
  /** The block of a content part; `undefined` for kinds that are not known. Texts and images are the same for all. */
  readonly part: (part: JsonObject) => DraftBlock | undefined;
  /** What a result says of its call. */
  readonly resultLinks: (message: JsonObject) => Pick<DraftBlock, "callId" | "tool">;
  /** A message of a role that is not the same for all. */
  readonly message: (message: JsonObject) => Draft;
}

/** The content blocks of one record, in order: what of a record the model reads. */
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

/** A message without content is one empty block: a compaction may cut before it, so it must have a row. */
function filled(draft: Draft): Draft {
  return draft.blocks.length > 0 ? draft : { ...draft, blocks: [{ kind: "text", text: "" }] };
}

/** A message's content. Old files hold messages without any; that is not odd. */
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

/** A result: its texts as one block, then its images as blocks of their own. */
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
