import type { LineNumber, Milliseconds, Tokens } from "@/lib/core/base/units";
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
  /** An id of our own where the file's is masked. */
  readonly id: string;
  readonly type: string;
  readonly line: LineNumber;
  readonly at: Milliseconds | undefined;
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
  /** Tokens of a prompt of the provider's tools within the response. */
  readonly toolPrompt: Tokens | undefined;
  readonly title: string | undefined;
  readonly contents: readonly MeasuredContent[];
  /** True if two messages with different ids are the same. */
  readonly fingerprint: number;
  /** True if it is a command, which a resume leaves out. */
  readonly notResumed: boolean;
  /** True if it is a user message that holds the summary of what came before. */
  readonly isSnapshot: boolean;
  readonly results: readonly CallResult[];
}

/** The result of a message's call. */
export interface CallResult {
  readonly callId: string;
  /** True if it holds a preview instead of the output. */
  readonly isPreview: boolean;
}

/** A change to the list other than a message that was added. */
export interface Change {
  readonly kind: "compaction" | "clearing" | "rollback";
  readonly line: LineNumber;
  readonly clearedCalls: readonly string[];
  /** The places of all messages that stayed. */
  readonly kept: readonly number[];
}

/**
 * A repeated message of the trajectory: `compression` put it at the front of the list again, or it is `restored` after a rewind dropped it.
 * Its response is billed once.
 */
export type CopyKind = "compression" | "restored";

/** What the file did, in order. An index names a message by its place, so that a later line can replace it there. */
export type Step =
  | { readonly kind: "message"; readonly place: number; readonly copy: CopyKind | undefined }
  | { readonly kind: "change"; readonly change: Change };
