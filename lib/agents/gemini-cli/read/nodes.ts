import type { LineNumber, Milliseconds } from "@/lib/core/base/units";
import type { Block, Message, Usage } from "@/lib/core/transcript/model";

/** A content of a recorded message, measured. */
export interface MeasuredContent {
  readonly role: Message["role"];
  readonly origin: Message["origin"];
  readonly initialContext: boolean;
  readonly blocks: readonly Block[];
}

/** A recorded message, as its last line has it. */
export interface Node {
  /** One of its own where the file's is masked. */
  readonly id: string;
  readonly type: string;
  readonly line: LineNumber;
  readonly at: Milliseconds | undefined;
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
  readonly title: string | undefined;
  readonly contents: readonly MeasuredContent[];
  /** Says whether two messages with different ids are the same one. */
  readonly fingerprint: number;
  /** A command: a resume leaves it out. */
  readonly notResumed: boolean;
  /** A user message that holds the summary of what was before. */
  readonly isSnapshot: boolean;
  readonly results: readonly CallResult[];
}

/** What a call of a message gave. */
export interface CallResult {
  readonly callId: string;
  /** It holds a preview in the place of the output. */
  readonly isPreview: boolean;
}

/** A change of the list beyond a message that was added. */
export interface Change {
  readonly kind: "compaction" | "clearing" | "rollback";
  readonly line: LineNumber;
  readonly clearedCalls: readonly string[];
  /** The place of every message that stayed. */
  readonly kept: readonly number[];
}

/** What the file did, in order: an index names a message by its place, so that a later line can replace it there. */
export type Step =
  | { readonly kind: "message"; readonly place: number; readonly recordedOnly: boolean }
  | { readonly kind: "change"; readonly change: Change };
