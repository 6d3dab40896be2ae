import { Integers } from "@/lib/core/base/growing";
import { IdTable } from "@/lib/core/base/id-table";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { HeldEntries } from "@/lib/core/transcript/held-entries";
import type { Block, Origin, RequestTerms } from "@/lib/core/transcript/model";
import type { CommandEcho } from "./chain";
import type { CompressionInfo } from "./schema";

/** What is kept of a file's records until it ends: where each stands in the tree, and what it says, measured. */
export class Nodes {
  readonly entries: HeldEntries<NodeContent>;
  /** Marks by which blocks are found again in a snapshot, and that of every row of `entries.blocks`. */
  readonly marks = new IdTable();
  readonly mark = new Integers();
  /** 1 for records of a subagent. */
  readonly isSidechain = new Integers();

  constructor(builder: TranscriptBuilder) {
    this.entries = new HeldEntries(builder.heldBlocks());
  }

  /** Notes what stands beside the entry that was added last. */
  note(isSidechain: boolean, marks: readonly string[]): void {
    this.isSidechain.push(isSidechain ? 1 : 0);
    for (const mark of marks) this.mark.push(this.marks.index(mark));
  }

  /** Whether a record puts something into the context. */
  isMessage(node: number): boolean {
    const { kind } = this.entries.facts(node);
    return kind === "user" || kind === "response";
  }
}

/** Measured blocks, and a mark by which each is found again in a snapshot. */
export interface Measured {
  readonly blocks: readonly Block[];
  readonly marks: readonly string[];
}

export interface UserContent {
  readonly kind: "user";
  readonly origin: Origin;
  /** What a person typed, where the record holds nothing else. */
  readonly plainText: string | undefined;
  readonly title: string | undefined;
}

export interface ResponseContent {
  readonly kind: "response";
  readonly model: string | undefined;
  readonly terms: RequestTerms | undefined;
  /** A subagent's call, which is written apart from the text of its response. */
  readonly continues: boolean;
}

/** A content of a snapshot; its blocks are rows of the record's, behind those of the contents before it. */
export interface SnapshotMessage {
  readonly role: "user" | "model";
  readonly blocks: number;
}

export interface CompressionContent {
  readonly kind: "compression";
  readonly info: CompressionInfo;
  readonly messages: readonly SnapshotMessage[];
}

/** What a fork takes over from its parent. */
export interface InheritedContent {
  readonly kind: "inherited";
  readonly messages: readonly SnapshotMessage[];
}

export interface CommandContent {
  readonly kind: "command";
  readonly echo: CommandEcho;
  readonly title: string | undefined;
}

/** What a record is. Its blocks and a response's usage stand beside it. */
export type NodeContent =
  | UserContent
  | ResponseContent
  | CompressionContent
  | InheritedContent
  | CommandContent
  | { readonly kind: "other" };
