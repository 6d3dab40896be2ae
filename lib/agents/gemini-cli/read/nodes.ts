import type { LineNumber, Milliseconds, Tokens } from "@/lib/core/base/units";
import type { Block, Message, Usage } from "@/lib/core/transcript/model";

/** A content of a recorded message, measured. */
export interface MeasuredContent {
  readonly role: Message["role"];
  readonly origin: Message["origin"];
  readonly initialContext: boolean;
  readonly blocks: readonly Block[];
}

/** A recorded message, with the content of its last line. */
export interface Node {
  /** An id of our own if the file's is masked. */
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
  /** Equal for two messages with different ids but the same content. */
  readonly fingerprint: number;
  /** True for a command, which a resume omits. */
  readonly notResumed: boolean;
  /** True for a user message with the summary of the earlier conversation. */
  readonly isSnapshot: boolean;
  readonly results: readonly CallResult[];
}

/** The result of a message's call. */
export interface CallResult {
  readonly callId: string;
  /** True if it holds a preview instead of the output. */
  readonly isPreview: boolean;
}

/** A change to the list other than an added message. */
export interface Change {
  readonly kind: "compaction" | "clearing" | "rollback";
  readonly line: LineNumber;
  readonly clearedCalls: readonly string[];
  /** Indices of all kept messages. */
  readonly kept: readonly number[];
}

/**
 * A repeated message of the trajectory: `compression` put it at the front of the list again, or it is `restored` after a rewind dropped it. Its
 * response is billed once.
 */
export type CopyKind = "compression" | "restored";

/** A step of the file, in order. An index identifies a message, so that a later line can replace it there. */
export type Step =
  | { readonly kind: "message"; readonly place: number; readonly copy: CopyKind | undefined }
  | { readonly kind: "change"; readonly change: Change };
