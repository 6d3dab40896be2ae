import type { Integers } from "@/lib/core/base/growing";
import type { Tokens } from "@/lib/core/base/units";
import type { Figures } from "@/lib/core/transcript/figures";
import type { HeldEntries } from "@/lib/core/transcript/held-entries";
import type { Block, Message, Usage } from "@/lib/core/transcript/model";
import { isObject, type JsonObject } from "../json";
import type { PromptPart } from "./blocks";

/** What is kept of a file's entries until it ends: where each stands in the tree, and what it says, measured. */
export interface Nodes {
  readonly entries: HeldEntries<NodeContent>;
  /** Index of every entry among the values that pi reads of this file, the header counted; −1 where pi would not read it. */
  readonly index: Integers;
}

/** What an entry is. Its blocks and a response's usage stand beside it. */
export type NodeContent =
  | MessageContent
  | ResponseContent
  | CompactionContent
  | PromptContent
  | EditContent
  | EffortContent
  | { readonly kind: "other" };

/** Anything that the model reads as a message, except a response. */
export interface MessageContent {
  readonly kind: "message";
  readonly origin: Exclude<Message["origin"], "response">;
  /** What a session without a name would be called after it, where a person typed it. */
  readonly title?: string | undefined;
  /** The call that it names, unless it is a result: of that one the first block names the call. */
  readonly callId?: string | undefined;
}

export interface ResponseContent {
  readonly kind: "response";
  readonly model: string | undefined;
}

/** A block of the prompt, and what of the prompt it is. */
export interface PromptBlock {
  readonly part: PromptPart;
  readonly block: Block;
}

export interface CompactionContent {
  readonly kind: "compaction";
  readonly tokensBefore: Tokens | undefined;
  readonly firstKeptId: string | undefined;
  readonly firstKeptIndex: number | undefined;
  /** The whole prompt, where the entry holds it. */
  readonly prompt: readonly PromptBlock[];
}

/** The prompt and its tools, as a whole or as a change. */
export interface PromptContent {
  readonly kind: "prompt";
  readonly blocks: readonly PromptBlock[];
  readonly removed: readonly PromptPart[];
}

/** How much the model is told to think from here on. */
export interface EffortContent {
  readonly kind: "effort";
  readonly level: string | undefined;
}

/** Content that was taken out of the context, or replaced there. */
export interface EditContent {
  readonly kind: "edit";
  readonly target: string | undefined;
}

/** Usage as recorded; `undefined` where the record carries none of the figures of what was sent. */
export function usageOf(usage: JsonObject | undefined, figures: Figures): Usage | undefined {
  const input = figures.tokens(usage?.input, "input");
  const cacheRead = figures.tokens(usage?.cacheRead, "cacheRead");
  const cacheWrite = figures.tokens(usage?.cacheWrite, "cacheWrite");
  if (input === undefined && cacheRead === undefined && cacheWrite === undefined) return undefined;
  const output = figures.tokens(usage?.output, "output");
  const reasoning = figures.tokens(usage?.reasoning, "reasoning");
  const cacheWrite1h = figures.tokens(usage?.cacheWrite1h, "cacheWrite1h");
  const ownCost = isObject(usage?.cost) ? figures.dollars(usage.cost.total, "cost.total") : undefined;
  return {
    input: input ?? 0,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    ...(cacheWrite1h === undefined || cacheWrite1h > (cacheWrite ?? 0) ? {} : { cacheWrite1h }),
    ...(output === undefined ? {} : { output }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(ownCost === undefined ? {} : { ownCost }),
  };
}

/** Everything sent with a request; 0 where nothing is recorded. */
export function sentTokens(usage: Usage | undefined): Tokens {
  return usage === undefined ? 0 : usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0);
}
