import type { OverheadCategoryId } from "../base/categories";
import type { Block, BlockKind, BlockSource, Message, TextMeasure } from "./model";

/** Content block before it is measured: the part of it that the model reads, and its links. The readers of all formats make these. */
export interface DraftBlock {
  readonly kind: BlockKind;
  readonly text: string;
  readonly callId?: string | undefined;
  readonly tool?: string | undefined;
  readonly file?: string | undefined;
  readonly isError?: boolean | undefined;
  readonly category?: Block["category"] | undefined;
  /** True if the text is an encoded or encrypted payload, which is measured but never kept. */
  readonly payload?: boolean | undefined;
  /** Name of a part that the reader does not understand; becomes a problem of its line. */
  readonly odd?: string | undefined;
}

/** A message before it is measured. */
export interface DraftMessage<Content extends DraftBlock = DraftBlock> {
  readonly role: Message["role"];
  readonly origin: Message["origin"];
  readonly blocks: readonly Content[];
}

/** Part of the overhead before it is measured. */
export interface DraftOverhead {
  readonly category: OverheadCategoryId;
  readonly name: string;
  readonly text: string;
}

/** Content of one record that the model reads. */
export interface Draft {
  readonly blocks: readonly DraftBlock[];
  /** Names of fields and block types that the reader does not understand. */
  readonly odd: readonly string[];
}

/** Draft of a record that the model does not read. */
export const NO_DRAFT: Draft = { blocks: [], odd: [] };

/** The draft of one block. */
export function draftOfBlock(block: DraftBlock): Draft {
  return { blocks: [block], odd: [] };
}

/** Draft of an unknown part, named by its field or type. */
export function oddDraft(name: string): Draft {
  return { blocks: [], odd: [name] };
}

/** Joins several drafts in order. */
export function joinedDrafts(drafts: readonly Draft[]): Draft {
  const blocks: DraftBlock[] = [];
  const odd: string[] = [];
  for (const draft of drafts) {
    for (const block of draft.blocks) blocks.push(block);
    for (const name of draft.odd) odd.push(name);
  }
  return { blocks, odd };
}

/** Makes a block with a measured text. Undefined fields get no key. */
export function block(
  kind: BlockKind,
  text: TextMeasure,
  source: BlockSource,
  rest: Omit<DraftBlock, "kind" | "text" | "payload" | "odd"> & Pick<Block, "estimated"> = {},
): Block {
  const made: { -readonly [Key in keyof Block]: Block[Key] } = { kind, text, source };
  if (rest.callId !== undefined) made.callId = rest.callId;
  if (rest.tool !== undefined) made.tool = rest.tool;
  if (rest.file !== undefined) made.file = rest.file;
  if (rest.isError === true) made.isError = true;
  if (rest.estimated === true) made.estimated = true;
  if (rest.category !== undefined) made.category = rest.category;
  return made;
}
