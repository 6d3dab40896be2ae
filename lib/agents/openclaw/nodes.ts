import { Integers } from "@/lib/core/base/growing";
import { IdTable } from "@/lib/core/base/id-table";
import type { Tokens } from "@/lib/core/base/units";
import type { TranscriptBuilder } from "@/lib/core/transcript/builder";
import type { Figures } from "@/lib/core/transcript/figures";
import { HeldEntries } from "@/lib/core/transcript/held-entries";
import type { Message, Usage } from "@/lib/core/transcript/model";
import type { EntryTree } from "../entry-chain";
import { usageField } from "./usage";
import { isObject } from "./value";

const NONE = -1;

/** What is kept of a file's entries until it ends: where each stands in the tree, and what it says, measured. */
export class Nodes {
  readonly entries: HeldEntries<NodeContent>;
  /** Names under which pruning knows results. */
  readonly pruningKeys = new IdTable();
  /** Index of every entry among the values of this file that the program reads, the header counted; −1 where it reads it not. */
  readonly index = new Integers();
  /** 1 for what hangs on the tree without becoming its leaf. */
  readonly isSide = new Integers();
  /** Of every result its number in `pruningKeys`; −1 for none. */
  readonly pruningKey = new Integers();

  constructor(builder: TranscriptBuilder) {
    this.entries = new HeldEntries(builder.heldBlocks());
  }

  /** The call that a message answers. */
  callOf(node: number): string | undefined {
    const { firstBlock, endBlock } = this.entries.rows(node);
    const content = this.entries.facts(node);
    const isResult = content.kind === "message" && content.origin === "tool" && endBlock > firstBlock;
    return isResult ? this.entries.blocks.callIdAt(firstBlock) : undefined;
  }

  /** The calls that a response makes. */
  callsOf(node: number): readonly string[] {
    const { blocks } = this.entries;
    const { firstBlock, endBlock } = this.entries.rows(node);
    const rows = Array.from({ length: endBlock - firstBlock }, (_, index) => firstBlock + index);
    if (this.entries.facts(node).kind !== "response") return [];
    return rows.flatMap((row) => (blocks.kindAt(row) === "tool_call" ? (blocks.callIdAt(row) ?? []) : []));
  }

  /** The entries as a tree: some never become the leaf, and a leaf record stands for the entry that it names. Source: openclaw@2026.9.6, sessions/transcript-tree. */
  tree(linear: boolean): EntryTree {
    return {
      nodes: this.entries,
      linear,
      isSide: (node) => this.isSide.at(node) === 1,
      steersTo: (node) => {
        const content = this.entries.facts(node);
        return content.kind === "leaf" ? content.target : undefined;
      },
    };
  }

  /** Whether a reset may keep it. */
  isReplayed(node: number): boolean {
    const content = this.entries.facts(node);
    return content.kind === "response" || (content.kind === "message" && content.isReplayed);
  }

  /** Notes what stands beside the entry that was added last. */
  note(index: number, isSide: boolean, pruningKey: string | undefined): void {
    this.index.push(index);
    this.isSide.push(isSide ? 1 : 0);
    this.pruningKey.push(pruningKey === undefined ? NONE : this.pruningKeys.index(pruningKey));
  }
}

/** What an entry is. Its blocks and a response's usage stand beside it. */
export type NodeContent =
  | MessageContent
  | ResponseContent
  | CompactionContent
  | ResetContent
  | PruningContent
  | LeafContent
  | EffortContent
  | { readonly kind: "other" };

/** Anything that the model reads as a message, but a response. */
export interface MessageContent {
  readonly kind: "message";
  readonly origin: Exclude<Message["origin"], "response">;
  /** Whether a reset may keep it: what the person's side said, and results. */
  readonly isReplayed: boolean;
  /** What a session without a name would be called by it. */
  readonly title?: string | undefined;
}

export interface ResponseContent {
  readonly kind: "response";
  readonly model: string | undefined;
}

export interface CompactionContent {
  readonly kind: "compaction";
  readonly tokensBefore: Tokens | undefined;
  readonly tokensAfter: Tokens | undefined;
  readonly firstKeptId: string | undefined;
  readonly firstKeptIndex: number | undefined;
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

/** How much the model is told to think from here on. */
export interface EffortContent {
  readonly kind: "effort";
  readonly level: string | undefined;
}

/** Makes another entry the leaf, or the root. Who hangs on it hangs on that entry. */
export interface LeafContent {
  readonly kind: "leaf";
  /** As `HeldEntries.parent` gives it. */
  readonly target: number;
}

/** Usage as recorded; `undefined` where the record carries none of the figures of what was sent. */
export function recordedUsage(value: unknown, figures: Figures): Usage | undefined {
  if (!isObject(value)) return undefined;
  const tokens = (key: "input" | "output" | "cacheRead" | "cacheWrite") => figures.tokens(usageField(value, key), key);
  const input = tokens("input");
  const cacheRead = tokens("cacheRead");
  const cacheWrite = tokens("cacheWrite");
  const output = tokens("output");
  const reasoning = figures.tokens(value.reasoning, "reasoning");
  const ownCost = isObject(value.cost) ? figures.dollars(value.cost.total, "cost.total") : undefined;
  const cacheWrite1h = figures.tokens(value.cacheWrite1h, "cacheWrite1h");
  if (input === undefined && cacheRead === undefined && cacheWrite === undefined) return undefined;
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
