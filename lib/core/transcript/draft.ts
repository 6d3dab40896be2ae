import type { OverheadCategoryId } from "../base/categories";
import type { Block, BlockKind, BlockSource, Message, TextMeasure } from "./model";

/** A content block before it is measured: what the model reads of it, and what links it. The readers of all formats make these. */
export interface DraftBlock {
  readonly kind: BlockKind;
  readonly text: string;
  readonly callId?: string | undefined;
  readonly tool?: string | undefined;
  readonly file?: string | undefined;
  readonly isError?: boolean | undefined;
  readonly category?: Block["category"] | undefined;
  /** Whether the text is an encoded or encrypted payload, which is measured but never kept. */
  readonly payload?: boolean | undefined;
  /** Name of the part that was not understood; becomes a problem of its line. */
  readonly odd?: string | undefined;
}

/** A message before it is measured. */
export interface DraftMessage<Content extends DraftBlock = DraftBlock> {
  readonly role: Message["role"];
  readonly origin: Message["origin"];
  readonly blocks: readonly Content[];
}

/** A part of the fixed overhead before it is measured. */
export interface DraftOverhead {
  readonly category: OverheadCategoryId;
  readonly name: string;
  readonly text: string;
}

/** What the model reads of one record. */
export interface Draft {
  readonly blocks: readonly DraftBlock[];
  /** Names of fields and block types that were not understood. */
  readonly odd: readonly string[];
}

/** The draft of a record of which the model reads nothing. */
export const NO_DRAFT: Draft = { blocks: [], odd: [] };

/** The draft of one block. */
export function draftOfBlock(block: DraftBlock): Draft {
  return { blocks: [block], odd: [] };
}

/** The draft of something that was not understood, named by its field or type. */
export function oddDraft(name: string): Draft {
  return { blocks: [], odd: [name] };
}

/** Several drafts joined into one, in their order. */
export function joinedDrafts(drafts: readonly Draft[]): Draft {
  const blocks: DraftBlock[] = [];
  const odd: string[] = [];
  for (const draft of drafts) {
    for (const block of draft.blocks) blocks.push(block);
    for (const name of draft.odd) odd.push(name);
  }
  return { blocks, odd };
}

/** A block whose text is measured. Undefined fields get no key. */
export function block(
  kind: BlockKind,
  text: TextMeasure,
  source: BlockSource,
  rest: Omit<DraftBlock, "kind" | "text" | "payload" | "odd"> = {},
): Block {
  const made: { -readonly [Key in keyof Block]: Block[Key] } = { kind, text, source };
  if (rest.callId !== undefined) made.callId = rest.callId;
  if (rest.tool !== undefined) made.tool = rest.tool;
  if (rest.file !== undefined) made.file = rest.file;
  if (rest.isError === true) made.isError = true;
  if (rest.category !== undefined) made.category = rest.category;
  return made;
}
