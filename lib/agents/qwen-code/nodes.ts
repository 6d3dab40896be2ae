import type { LineNumber, Milliseconds } from "@/lib/core/base/units";
import type { Block, Origin, Usage } from "@/lib/core/transcript/model";
import type { CommandEcho } from "./chain";
import type { CompressionInfo } from "./schema";

/** What is kept of a record until the file ends: where it stands in the tree, and what it says, measured. */
export interface Node {
  readonly line: LineNumber;
  readonly uuid: string | undefined;
  /** `null` at a root; `undefined` where the record does not say. */
  readonly parent: string | null | undefined;
  readonly sidechain: boolean;
  readonly at: Milliseconds | undefined;
  readonly content: NodeContent;
}

/** Measured blocks, and a mark by which each is found again in a snapshot. */
export interface Measured {
  readonly blocks: readonly Block[];
  readonly marks: readonly string[];
}

export interface UserContent extends Measured {
  readonly kind: "user";
  readonly origin: Origin;
  /** The text, where the record holds nothing else. */
  readonly plainText: string | undefined;
  readonly title: string | undefined;
}

export interface ResponseContent extends Measured {
  readonly kind: "response";
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
  /** A subagent's call, which is written apart from the text of its response. */
  readonly continues: boolean;
}

export interface SnapshotMessage extends Measured {
  readonly role: "user" | "model";
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

export type NodeContent =
  | UserContent
  | ResponseContent
  | CompressionContent
  | InheritedContent
  | CommandContent
  | { readonly kind: "other" };

/** Whether a record puts something into the context, or takes something out of it. */
export function isMessage({ content }: Node): boolean {
  return content.kind === "user" || content.kind === "response";
}
