import type { ItemCategoryId } from "../../base/categories";
import type { ItemIndex, RequestIndex, Tokens } from "../../base/units";
import type { SessionColumns } from "../../columns/columns";
import type { SettingSpec, Settings } from "./settings";

/** What a token costs, as a multiple of one that is read from the cache. */
export interface PriceRatios {
  /** One that is written to the cache. */
  readonly write: number;
  /** One that is sent without a cache. */
  readonly input: number;
  readonly output: number;
}

/** What a policy's defaults may depend on. */
export interface PolicyContext {
  /** The window that the policy works with. */
  readonly window: Tokens;
  /** Whether nothing states that window, so that it is only the default. Absent means no. */
  readonly isDefaultWindow?: boolean;
  /** Sizes of the summaries recorded in this session; absent where there are none. */
  readonly recordedSummary?: { readonly mean: Tokens; readonly low: Tokens; readonly high: Tokens };
  /** What tokens cost; absent where the session's models have no price. */
  readonly priceRatios?: PriceRatios | undefined;
  /** The recording's agent; `null` for formats without one. */
  readonly agent: string | null;
}

/** The simulated context's items, oldest first, without the overhead. */
export interface ContextItems {
  readonly length: number;
  /** The item at a position. Items at or above `columns.length` are synthetic: an earlier compaction added them. */
  at(position: number): ItemIndex;
  /** All items in one array, for walks over many. It is valid until the context changes; do not write to it. */
  list(): Int32Array;
  /** The recorded tool results in the context, oldest first. The array is valid until the context changes; do not write to it. */
  results(): Int32Array;
  /** Recorded tool results before a row that are still in the context, not cleared, and larger than a placeholder. */
  clearable(before: ItemIndex): readonly ItemIndex[];
  /** Whether any can be cleared: cheaper than looking for all of them. */
  hasClearable(before: ItemIndex): boolean;
  /** Whether a recorded item is in the context. */
  has(item: ItemIndex): boolean;
  /** Whether a recorded item that has entered is still in the context and not cleared. */
  isWhole(item: ItemIndex): boolean;
}

/** What the policy sees when it is asked, which happens before a request and never between a call and its result. */
export interface ContextView {
  readonly columns: SessionColumns;
  /** The request about to be sent. */
  readonly request: RequestIndex;
  readonly window: Tokens;
  readonly items: ContextItems;
  /** Tokens of an item as it now is in the simulated context; also for synthetic items. */
  tokensOf(item: ItemIndex): Tokens;
  /** Tokens of an item as the estimator counts it, not scaled to the recorded usage: for agents that compare by their own count alone. */
  countOf(item: ItemIndex): Tokens;
  /** The item that a compaction added under this index; absent for recorded items. */
  synthetic(item: ItemIndex): SyntheticItem | undefined;
  /** Fixed overhead: system prompt, tools and whatever else no compaction removes. */
  readonly overhead: Tokens;
  /** Simulated contexts of the requests before this one, each as it was sent. Do not write to it. */
  readonly sent: Int32Array;
  /** The context that the request before this one sent; 0 before the first request. */
  readonly lastInput: Tokens;
  /** What the response to the request before this one added, as its items are counted, without results that are made up for its calls. */
  readonly lastOutput: Tokens;
  /**
   * The recorded output of the response to the request before this one, as long as the simulation follows the recording; absent where the usage
   * does not say.
   */
  readonly recordedOutput: Tokens | undefined;
  /** Simulated context of the first request since the last summary was made, or since the start; 0 until that request was answered. */
  readonly firstInput: Tokens;
  /** Estimate of the items after the last response. */
  readonly added: Tokens;
  /** The items after the last response as the estimator counts them, not scaled to the recorded usage. */
  readonly addedCount: Tokens;
  /** Estimate of everything that would be sent now, overhead included. */
  readonly history: Tokens;
  /** Whether a user turn starts with this request; if not, the request is in the middle of one. */
  readonly turnStart: boolean;
  /** Number of simulated compactions so far. */
  readonly compactions: number;
  /** How many of the simulated compactions asked for a summary. Clearings, trims and skipped compactions do not count. */
  readonly summaryCalls: number;
}

export type SimulatedTrigger = "threshold" | "overflow" | "manual";

export type Outcome = "summary" | "fallback" | "trim" | "clear" | "failed" | "blocked" | "skipped";

/**
 * What an added item is. `attachment`: content that is put back (files, pictures, the plan); `note`: a sentence by the program itself; `request`: a
 * sentence that asks the model for something; `turn`: a whole turn that the program took by itself.
 */
export type AddedKind = "summary" | "acknowledgement" | "attachment" | "note" | "request" | "turn";

/** Something that a compaction puts into the context. */
export interface SyntheticItem {
  readonly kind: AddedKind;
  /** The key of its words among the page's messages. */
  readonly name: string;
  /** The role of its message; absent means the user. */
  readonly role?: "assistant" | "system";
  readonly category: ItemCategoryId;
  readonly tokens: Tokens;
  /** What it is, in English, for people. Nothing is decided by it. */
  readonly label: string;
  /** Files whose content it carries, for the boundary's details. */
  readonly files?: readonly CarriedFile[];
  /** How many things it carries, where its words mention a number. */
  readonly count?: number;
}

/** A file by its path, or by the place in an item's text that holds the path: columns have no texts. */
export type CarriedFile = string | TextPlace;

/** UTF-16 units `from` to `to` (exclusive) of an item's text. */
interface TextPlace {
  readonly item: ItemIndex;
  readonly from: number;
  readonly to: number;
}

/** The path of a file, or the place of the path, where only a text holds it. */
export function fileLabel(file: CarriedFile): string {
  return typeof file === "string" ? file : `item ${file.item}, characters ${file.from}–${file.to}`;
}

/** Half-open ranges of positions in the context, ascending and apart from each other. */
export type Positions = readonly (readonly [from: number, to: number])[];

/** Numbers that a policy arrived at on its way, by name (`messages`, `chunkShare`): tokens, counts and shares. */
export type Figures = Readonly<Record<string, number>>;

/** What stays after a compaction. Everything else in the context is dropped. */
export interface Retention {
  /** The positions of the items that stay, recorded and synthetic alike. They are ranges, so that keeping a long history costs nothing. */
  readonly kept: Positions;
  /** Kept items whose size changes, with their new size. */
  readonly truncated: readonly (readonly [ItemIndex, Tokens])[];
  /** Limits in tokens to which the policy cuts the texts of kept items; with them a cut text can be reproduced to the byte. */
  readonly limits?: readonly (readonly [ItemIndex, Tokens])[];
  /** Recorded items that the summary call leaves out because the whole history does not fit; absent means none. */
  readonly unsent?: readonly ItemIndex[];
  /** Kept items whose content a placeholder replaced, with their new size. */
  readonly cleared: readonly (readonly [ItemIndex, Tokens])[];
  readonly added: readonly SyntheticItem[];
  /** Where the added items go: before the kept ones or after them. */
  readonly addedAt: "front" | "back";
  /**
   * How many of the newest kept items enter the history only after the compaction, as what a person typed next does. They come after what is added at
   * the back, and no summary is made of them. Absent means none.
   */
  readonly entering?: number;
  /** Whether the new sizes hold for this request alone: the next one sends the items as they were. Such a retention must not drop or add anything. */
  readonly transient?: boolean;
  readonly outcome: Outcome;
  /** Tokens of the summary that a call made; 0 where no call made one. */
  readonly summaryTokens: Tokens;
  /** Tokens sent to make the summary. */
  readonly summaryCallTokens: Tokens;
  /** For the boundary's details. */
  readonly figures?: Figures;
}

/** What is done before a request, and what triggered it: a threshold, where that is absent. */
export interface Compaction extends Retention {
  readonly trigger?: SimulatedTrigger;
}

/** A policy's preset and settings as chosen, and the window. */
export interface PolicyChosen {
  readonly preset: string;
  readonly settings: Settings;
  readonly window: Tokens;
}

/** What a run starts from. */
export interface PolicyPlan extends PolicyChosen {
  readonly columns: SessionColumns;
  /** Whether the policy's own agent wrote the recording: turns that it took by itself are then in the columns. Absent means no. */
  readonly own?: boolean;
}

/**
 * A policy at work on one recording. What it has to remember between requests (failures, its last summary, what it cleared) it keeps in its own
 * fields.
 */
export interface PolicyRun {
  /** Called once before every request, in order; `undefined` means that nothing is done. */
  readonly before: (view: ContextView) => Compaction | undefined;
  /**
   * Compacts now, whatever the size; `undefined` where there is nothing to compact. Absent for a policy that cannot be told to. Whoever calls it does so
   * in place of `before`.
   */
  readonly compact?: (view: ContextView) => Compaction | undefined;
}

/** The size of an item once it has entered, for agents that shorten what enters. */
export interface EntryRule {
  readonly tokens: (plan: PolicyPlan, item: ItemIndex, tokens: Tokens) => Tokens;
  /** The settings that the rule depends on, beside the preset; no other setting changes a size. */
  readonly settings: readonly string[];
}

/** A compaction policy over numbers. Deterministic: the same plan and the same views give the same answers. */
export interface Policy {
  readonly id: string;
  readonly label: string;
  /** The first is the default. */
  readonly presets: readonly string[];
  /** A second name for presets whose rules follow the newest release of the program: the month of that release, `2026-09`. */
  readonly presetDates?: Readonly<Record<string, string>>;
  readonly settings: (preset: string, context: PolicyContext) => readonly SettingSpec[];
  /** Measures beyond tokens that the policy uses, by their names in `columns.measures`; without them it falls back on sizes. */
  readonly measures?: readonly string[];
  /** Applied to items as they enter, where `entryTruncation` is set; if absent, items enter as counted. */
  readonly entryRule?: EntryRule;
  /**
   * Size of an item as the agent's repair of calls and results sends it, under any settings: with a made-up result for a call that has none, and 0 for
   * what is not sent. Absent for agents without such a repair, and where the entry rule includes it.
   */
  readonly pairedTokens?: (plan: Pick<PolicyPlan, "columns" | "preset">, item: ItemIndex, tokens: Tokens) => Tokens;
  /** What its agent calls the clearing of old results, where it has its own name for it. */
  readonly clearsBy?: "pruning" | "masking";
  /** `false` for a policy that never asks for a summary: settings about summaries have no effect on it. */
  readonly summarises?: false;
  /**
   * The size at which it fires, which charts draw as a line; absent for policies without one, and `undefined` under settings without one. Also asked for
   * when nothing is replayed.
   */
  readonly threshold?: (chosen: PolicyChosen) => Tokens | undefined;
  /**
   * Whether it looks for older results to clear, mask or shorten before every request; absent where it never does. The other policies only compare a
   * size between their compactions.
   */
  readonly looksBack?: (chosen: PolicyChosen) => boolean;
  readonly begin: (plan: PolicyPlan) => PolicyRun;
  /** The name of the file of somebody's own policy, by which sentences call it; absent for those that come with the program. */
  readonly own?: string;
}
