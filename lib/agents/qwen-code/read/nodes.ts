import { Integers } from "@/lib/core/base/growing";
import { IdTable } from "@/lib/core/base/id-table";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { HeldEntries } from "@/lib/core/transcript/held-entries";
import type { Block, Origin, RequestTerms } from "@/lib/core/transcript/model";
import type { CommandEcho } from "./chain";
import type { CompressionInfo } from "./schema";

/** A file's records, kept until the file ends: their places in the tree, and their measured content. */
export class Nodes {
  readonly entries: HeldEntries<NodeContent>;
  /** The marks that find blocks again in a snapshot, and the mark of every row of `entries.blocks`. */
  readonly marks = new IdTable();
  readonly mark = new Integers();
  /** 1 for records of a subagent. */
  readonly isSidechain = new Integers();
  /** 1 for records that were copied from another session. */
  readonly isCopied = new Integers();

  constructor(builder: TranscriptBuilder) {
    this.entries = new HeldEntries(builder.heldBlocks());
  }

  /** Notes further facts about the entry that was added last. */
  note(isSidechain: boolean, isCopied: boolean, marks: readonly string[]): void {
    this.isSidechain.push(isSidechain ? 1 : 0);
    this.isCopied.push(isCopied ? 1 : 0);
    for (const mark of marks) this.mark.push(this.marks.index(mark));
  }

  /** True if a record adds something to the context. */
  isMessage(node: number): boolean {
    const { kind } = this.entries.facts(node);
    return kind === "user" || kind === "response";
  }
}

/** Measured blocks, and for each the mark that finds it again in a snapshot. */
export interface Measured {
  readonly blocks: readonly Block[];
  readonly marks: readonly string[];
}

interface UserContent {
  readonly kind: "user";
  readonly origin: Origin;
  /** The typed text, if the record holds nothing else. */
  readonly plainText: string | undefined;
  readonly title: string | undefined;
}

export interface ResponseContent {
  readonly kind: "response";
  readonly model: string | undefined;
  readonly terms: RequestTerms | undefined;
  /** True for a subagent's call, which is recorded apart from its response's text. */
  readonly continues: boolean;
}

/** A content of a snapshot; its blocks are rows of the record's, after those of the contents before it. */
export interface SnapshotMessage {
  readonly role: "user" | "model";
  readonly blocks: number;
}

export interface CompressionContent {
  readonly kind: "compression";
  readonly info: CompressionInfo;
  readonly messages: readonly SnapshotMessage[];
}

/** Content that a fork inherits from its parent. */
export interface InheritedContent {
  readonly kind: "inherited";
  readonly messages: readonly SnapshotMessage[];
}

interface CommandContent {
  readonly kind: "command";
  readonly echo: CommandEcho;
  readonly title: string | undefined;
}

/** The content of a record, besides its blocks and a response's usage. */
export type NodeContent =
  | UserContent
  | ResponseContent
  | CompressionContent
  | InheritedContent
  | CommandContent
  | { readonly kind: "other" };
