import type { LineNumber, Milliseconds, Tokens } from "@/lib/core/base/units";
import type { Block, Message, Usage } from "@/lib/core/transcript/model";
import { normalizeUsage } from "./usage";
import { isObject, wholeNumber } from "./value";

/** What is kept of an entry until the file ends: where it stands in the tree, and what it says, measured. */
export interface Node {
  readonly line: LineNumber;
  /** Index among the values of this file that the program reads, the header counted; −1 where it would not read it. */
  readonly index: number;
  readonly id: string | undefined;
  /** `null` at a root; `undefined` where none is named. */
  readonly parent: string | null | undefined;
  /** Hangs on the tree without becoming its leaf. */
  readonly side: boolean;
  readonly at: Milliseconds | undefined;
  readonly content: NodeContent;
}

export type NodeContent =
  | MessageContent
  | ResponseContent
  | CompactionContent
  | ResetContent
  | PruningContent
  | LeafContent
  | { readonly kind: "other" };

/** Anything that the model reads as a message, but a response. */
export interface MessageContent {
  readonly kind: "message";
  readonly origin: Exclude<Message["origin"], "response">;
  readonly blocks: readonly Block[];
  /** Whether a reset may keep it. */
  readonly isReplayed: boolean;
  /** What a session without a name would be called by it. */
  readonly title?: string | undefined;
  /** Where it is a result: the call that it answers, and the name under which pruning knows it. */
  readonly callId?: string | undefined;
  readonly pruningKey?: string | undefined;
}

export interface ResponseContent {
  readonly kind: "response";
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
  readonly blocks: readonly Block[];
}

export interface CompactionContent {
  readonly kind: "compaction";
  readonly tokensBefore: Tokens | undefined;
  readonly tokensAfter: Tokens | undefined;
  readonly firstKeptId: string | undefined;
  readonly firstKeptIndex: number | undefined;
  readonly blocks: readonly Block[];
}

/** The person began anew within the session: what is not kept left the context. */
export interface ResetContent {
  readonly kind: "reset";
  readonly firstKeptId: string | undefined;
}

/** Results that are cleared whenever the history is sent, by the names under which pruning knows them. */
export interface PruningContent {
  readonly kind: "pruning";
  readonly cleared: readonly string[];
}

/** Makes another entry the leaf; `null` for the root. Who hangs on it hangs on that entry. */
export interface LeafContent {
  readonly kind: "leaf";
  readonly target: string | null | undefined;
}

/** Usage as recorded; `undefined` where the record carries none of the figures of what was sent. */
export function recordedUsage(value: unknown): Usage | undefined {
  const usage = normalizeUsage(value);
  const input = wholeNumber(usage?.input);
  const cacheRead = wholeNumber(usage?.cacheRead);
  const cacheWrite = wholeNumber(usage?.cacheWrite);
  const output = wholeNumber(usage?.output);
  const reasoning = isObject(value) ? wholeNumber(value.reasoning) : undefined;
  if (input === undefined && cacheRead === undefined && cacheWrite === undefined) return undefined;
  return {
    input: input ?? 0,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    ...(output === undefined ? {} : { output }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

/** Everything sent with a request; 0 where nothing is recorded. */
export function sentTokens(usage: Usage | undefined): Tokens {
  return usage === undefined ? 0 : usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
}
