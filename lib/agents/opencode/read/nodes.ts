import type { LineNumber, Milliseconds } from "@/lib/core/base/units";
import type { Block, CompactionTrigger, Message, RequestTerms, Usage } from "@/lib/core/transcript/model";

/** A recorded message, measured. */
export interface Node {
  readonly id: string;
  /** `undefined` if it is masked. */
  readonly parent: string | undefined;
  readonly line: LineNumber;
  /** Place in the file. */
  readonly index: number;
  readonly at: Milliseconds | undefined;
  readonly role: "user" | "assistant" | "other";
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
  readonly terms: RequestTerms | undefined;
  /** True for a message older than its session: a fork copies messages with their times. */
  readonly isCopied: boolean;
  readonly title: string | undefined;
  readonly messages: readonly MeasuredMessage[];
  readonly compaction: CompactionRequest | undefined;
  /** True for the answer to a call for a summary, completed or not. */
  readonly isSummaryCall: boolean;
  /** True if it is the answer that completed a compaction. */
  readonly isSummary: boolean;
  /** Calls whose output was cleared, with the time. */
  readonly cleared: readonly ClearedCall[];
}

export interface MeasuredMessage {
  readonly role: Message["role"];
  readonly origin: Message["origin"];
  readonly blocks: readonly Block[];
}

export interface CompactionRequest {
  readonly trigger: CompactionTrigger;
  readonly tail: string | undefined;
}

export interface ClearedCall {
  readonly call: string;
  readonly at: Milliseconds;
}
