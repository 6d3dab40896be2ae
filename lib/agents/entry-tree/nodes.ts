import { isObject, type JsonObject } from "@/lib/agents/shared/json";
import { Floats, Integers } from "@/lib/core/base/growing";
import type { Tokens } from "@/lib/core/base/units";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import { HeldEntries } from "@/lib/core/transcript/held-entries";
import type { Block, Message, Usage } from "@/lib/core/transcript/model";
import type { KnownUsageFields, RecordNumbers } from "@/lib/core/transcript/record-numbers";

/** A file's entries, kept until the file ends: their places in the tree, and their measured content. */
export class Nodes {
  readonly entries: HeldEntries<NodeContent>;
  /** Index of every entry among the values that the agent reads from this file, including the header; −1 if the agent would not read it. */
  readonly index = new Integers();
  /** A hash that distinguishes responses and is equal for copies of a response; NaN for entries without one. */
  readonly response = new Floats();

  constructor(builder: TranscriptBuilder) {
    this.entries = new HeldEntries(builder.heldBlocks());
  }

  /** The call that a result answers. */
  answeredCall(node: number): string | undefined {
    const { firstBlock, endBlock } = this.entries.rows(node);
    const content = this.entries.facts(node);
    const isResult = content.kind === "message" && content.origin === "tool" && endBlock > firstBlock;
    return isResult ? this.entries.blocks.callIdAt(firstBlock) : undefined;
  }
}

/** The content of an entry, besides its blocks and the usage of a response or of the call for a summary. Some kinds are written by only one of the agents. */
export type NodeContent =
  | MessageContent
  | ResponseContent
  | CompactionContent
  | EffortContent
  | ModelContent
  | PromptContent
  | EditContent
  | ResetContent
  | PruningContent
  | LeafContent
  | OverflowContent
  | { readonly kind: "other" };

/** Anything that the model reads as a message, except responses. */
export interface MessageContent {
  readonly kind: "message";
  readonly origin: Exclude<Message["origin"], "response">;
  /** For a typed message: the title of a session that has no name. */
  readonly title?: string | undefined;
  /** The call that it names. For results this is absent: their first block names the call (pi). */
  readonly callId?: string | undefined;
  /** True if a reset may keep it: messages of the user's side, and results (OpenClaw). */
  readonly isReplayed?: boolean;
}

export interface ResponseContent {
  readonly kind: "response";
  readonly model: string | undefined;
  /** Present if the provider refused the prompt as too long (OpenClaw). */
  readonly overflow?: true;
}

/** A prompt that was refused as too long, in an entry of its own (OpenClaw). */
interface OverflowContent {
  readonly kind: "overflow";
}

export interface CompactionContent {
  readonly kind: "compaction";
  readonly tokensBefore: Tokens | undefined;
  /** Written by OpenClaw only. */
  readonly tokensAfter?: Tokens | undefined;
  readonly firstKeptId: string | undefined;
  readonly firstKeptIndex: number | undefined;
  /** The whole prompt, if the entry holds it (pi). */
  readonly prompt?: readonly PromptBlock[];
}

/** Thinking effort of the following requests. */
interface EffortContent {
  readonly kind: "effort";
  readonly level: string | undefined;
}

/** Model of the following requests. */
interface ModelContent {
  readonly kind: "model";
  readonly model: string | undefined;
}

/** The prompt and its tools, complete or as a change (pi). */
export interface PromptContent {
  readonly kind: "prompt";
  readonly blocks: readonly PromptBlock[];
  readonly removed: readonly PromptPart[];
}

/** A piece of the prompt: fixed overhead, and no part of a message. */
export interface PromptPart {
  readonly kind: "content" | "section" | "tool";
  readonly name: string;
}

export interface PromptBlock {
  readonly part: PromptPart;
  readonly block: Block;
}

/** Content that was removed from the context, or replaced there (pi). */
interface EditContent {
  readonly kind: "edit";
  readonly target: string | undefined;
}

/** A reset within the session: all content that is not kept leaves the context (OpenClaw). */
export interface ResetContent {
  readonly kind: "reset";
  readonly firstKeptId: string | undefined;
}

/** Results that are cleared whenever the history is sent, by the names that pruning has for them (OpenClaw). */
export interface PruningContent {
  readonly kind: "pruning";
  readonly cleared: readonly string[];
}

/** Makes another entry the leaf, or the root. Children of this entry become children of that entry (OpenClaw). */
interface LeafContent {
  readonly kind: "leaf";
  /** The entry, as `HeldEntries.parent` gives it. */
  readonly target: number;
}

/** Fields of a usage that are read, and those derived from them: the total, and the parts of the program's own cost. */
export const KNOWN_USAGE: KnownUsageFields = new Set([
  "input",
  "cacheRead",
  "cacheWrite",
  "cacheWrite1h",
  "output",
  "reasoning",
  "totalTokens",
  "cost",
]);

/** The value of a usage under a name; agents differ in the names that they accept. */
export type UsageField = (usage: JsonObject, name: "input" | "output" | "cacheRead" | "cacheWrite") => unknown;

/** Usage as recorded; `undefined` if the record does not state the input. */
export function recordedUsage(
  value: JsonObject | undefined,
  numbers: RecordNumbers,
  field: UsageField,
  known: KnownUsageFields,
): Usage | undefined {
  if (value === undefined) return undefined;
  numbers.unknownUsage(value, known);
  const input = numbers.tokens(field(value, "input"), "input");
  const cacheRead = numbers.tokens(field(value, "cacheRead"), "cacheRead");
  const cacheWrite = numbers.tokens(field(value, "cacheWrite"), "cacheWrite");
  const output = numbers.tokens(field(value, "output"), "output");
  const reasoning = numbers.tokens(value.reasoning, "reasoning");
  const cacheWrite1h = numbers.tokens(value.cacheWrite1h, "cacheWrite1h");
  const ownCost = isObject(value.cost) ? numbers.dollars(value.cost.total, "cost.total") : undefined;
  if (input === undefined && cacheRead === undefined && cacheWrite === undefined) return undefined;
  return {
    input: input ?? 0,
    cacheRead,
    cacheWrite,
    ...(cacheWrite1h === undefined || cacheWrite1h > (cacheWrite ?? 0) ? {} : { cacheWrite1h }),
    output,
    reasoning,
    ownCost,
  };
}

/** All tokens sent with a request; 0 if nothing is recorded. */
export function sentTokens(usage: Usage | undefined): Tokens {
  return usage === undefined ? 0 : usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
}
