import type { ItemCategoryId } from "../../base/categories";
import type { ItemIndex, RequestIndex, Tokens } from "../../base/units";
import type { SessionColumns } from "../../columns/columns";
import type { InAgent, SettingSource, SettingSpec, Settings } from "./settings";

/** Token prices as multiples of the price of a cache read. */
export interface PriceRatios {
  /** Price of a token written to the cache. */
  readonly write: number;
  /** Price of a token sent without a cache. */
  readonly input: number;
  readonly output: number;
}

/** Input of a policy's defaults. */
export interface PolicyContext {
  /** Window that the policy works with. */
  readonly window: Tokens;
  /** True if that window is only the default, because no source states one. Absent means false. */
  readonly isDefaultWindow?: boolean;
  /** Sizes of the summaries recorded in this session; absent if there are none. */
  readonly recordedSummary?: { readonly mean: Tokens; readonly low: Tokens; readonly high: Tokens };
  /** Price ratios; absent if the session's models have no price. */
  readonly priceRatios?: PriceRatios | undefined;
  /** The recording's agent; `null` for formats without one. */
  readonly agent: string | null;
}

/** Items of the simulated context, oldest first, without the overhead. */
export interface ContextItems {
  readonly length: number;
  /** Returns the item at a position. Items at or above `columns.length` are synthetic: an earlier compaction added them. */
  at(position: number): ItemIndex;
  /** Returns all items in one array, for loops over many. It is valid until the context changes; do not write to it. */
  list(): Int32Array;
  /** Recorded tool results in the context, oldest first. The array is valid until the context changes; do not write to it. */
  results(): Int32Array;
  /** Recorded tool results before a row that are still in the context, not cleared, and larger than a placeholder. */
  clearable(before: ItemIndex): readonly ItemIndex[];
  /** True if any result before a row can be cleared; cheaper than `clearable`. */
  hasClearable(before: ItemIndex): boolean;
  /** True if a recorded item is in the context. */
  has(item: ItemIndex): boolean;
  /** True if a recorded item that has entered is still in the context and not cleared. */
  isWhole(item: ItemIndex): boolean;
}

/** State that a policy sees before a request, never between a call and its result. */
export interface ContextView {
  readonly columns: SessionColumns;
  /** Request about to be sent. */
  readonly request: RequestIndex;
  readonly window: Tokens;
  readonly items: ContextItems;
  /** Current tokens of an item in the simulated context; also for synthetic items. */
  tokensOf(item: ItemIndex): Tokens;
  /** Tokens of an item as the estimator counts it, not scaled to the recorded usage: for agents that compare by their own count alone. */
  countOf(item: ItemIndex): Tokens;
  /** Item that a compaction added under this index; absent for recorded items. */
  synthetic(item: ItemIndex): SyntheticItem | undefined;
  /** Overhead: system prompt, tools and other content that no compaction removes. */
  readonly overhead: Tokens;
  /** Simulated contexts of the earlier requests, each as it was sent. Do not write to it. */
  readonly sent: Int32Array;
  /** Context of the previous request; 0 before the first request. */
  readonly lastInput: Tokens;
  /** Tokens that the response to the previous request added, as its items are counted, without made-up results for its calls. */
  readonly lastOutput: Tokens;
  /** Recorded output of the response to the previous request, while the simulation follows the recording; absent if the usage does not state it. */
  readonly recordedOutput: Tokens | undefined;
  /** Simulated context of the first request since the last summary, or since the start; 0 until that request was answered. */
  readonly firstInput: Tokens;
  /** Estimate of the items after the last response. */
  readonly added: Tokens;
  /** Count of the items after the last response by the estimator, not scaled to the recorded usage. */
  readonly addedCount: Tokens;
  /** Estimate of the context about to be sent, overhead included. */
  readonly history: Tokens;
  /** True if a user turn starts with this request. */
  readonly turnStart: boolean;
  /** Number of simulated compactions so far. */
  readonly compactions: number;
  /** Number of simulated compactions with a summary call. Clearings, trims and skipped compactions do not count. */
  readonly summaryCalls: number;
}

export type SimulatedTrigger = "threshold" | "overflow" | "manual" | "idle";

export type Outcome = "summary" | "fallback" | "trim" | "clear" | "failed" | "blocked" | "skipped";

/**
 * Kinds of added items. `attachment`: restored content (files, pictures, the plan); `note`: a sentence by the program itself; `request`: a sentence
 * that asks the model for something; `turn`: a whole turn that the program took by itself.
 */
export type AddedKind = "summary" | "acknowledgement" | "attachment" | "note" | "request" | "turn";

/** Item that a compaction adds to the context. */
export interface SyntheticItem {
  readonly kind: AddedKind;
  /** Message key of its text in the interface. */
  readonly name: string;
  /** Role of its message; absent means the user. */
  readonly role?: "assistant" | "system";
  readonly category: ItemCategoryId;
  readonly tokens: Tokens;
  /** English label for people. No code depends on it. */
  readonly label: string;
  /** Files whose content it carries, for the boundary's details. */
  readonly files?: readonly CarriedFile[];
  /** Number of things that it carries, if its text mentions a number. */
  readonly count?: number;
}

/** A file by its path, or by the position of the path in an item's text, since columns have no texts. */
export type CarriedFile = string | TextPlace;

/** UTF-16 units `from` to `to` (exclusive) of an item's text. */
interface TextPlace {
  readonly item: ItemIndex;
  readonly from: number;
  readonly to: number;
}

/** Path of a file, or the position of the path if only a text holds it. */
export function fileLabel(file: CarriedFile): string {
  return typeof file === "string" ? file : `item ${file.item}, characters ${file.from}–${file.to}`;
}

/** Half-open ranges of positions in the context, ascending and disjoint. */
export type Positions = readonly (readonly [from: number, to: number])[];

/** Intermediate numbers of a policy, by name (`messages`, `chunkShare`): tokens, counts and shares. */
export type PolicyMetrics = Readonly<Record<string, number>>;

/** Result of a compaction. Items that are not kept are dropped. */
export interface Retention {
  /** Positions of the kept items, recorded and synthetic alike, as ranges, so that keeping a long history costs nothing. */
  readonly kept: Positions;
  /** Kept items whose size changes, with their new size. */
  readonly truncated: readonly (readonly [ItemIndex, Tokens])[];
  /** Limits in tokens to which the policy cuts the texts of kept items. They allow reproducing a cut text byte for byte. */
  readonly limits?: readonly (readonly [ItemIndex, Tokens])[];
  /** Recorded items that the summary call omits because the whole history does not fit; absent means none. */
  readonly unsent?: readonly ItemIndex[];
  /** Kept items whose content a placeholder replaced, with their new size. */
  readonly cleared: readonly (readonly [ItemIndex, Tokens])[];
  readonly added: readonly SyntheticItem[];
  /** Position of the added items: before the kept ones or after them. */
  readonly addedAt: "front" | "back";
  /**
   * Number of the newest kept items that enter the history only after the compaction, such as a newly typed message. They follow items added at the
   * back and are not summarised. Absent means none.
   */
  readonly entering?: number;
  /**
   * True if the new sizes hold for this request only: the next one sends the items with their earlier sizes. Such a retention must not drop or add
   * items.
   */
  readonly transient?: boolean;
  readonly outcome: Outcome;
  /** Tokens of the summary; 0 if no call made one. */
  readonly summaryTokens: Tokens;
  /** Tokens sent to make the summary. */
  readonly summaryCallTokens: Tokens;
  /** For the boundary's details. */
  readonly figures?: PolicyMetrics;
}

/** Compaction before a request, and its trigger: a threshold if absent. */
export interface Compaction extends Retention {
  readonly trigger?: SimulatedTrigger;
}

/** Compaction during a pause, while nobody has typed the next prompt yet. Its trigger is `idle`. */
interface IdleCompaction extends Compaction {
  /** Minutes since the last request. */
  readonly afterMinutes: number;
}

/** Chosen preset and settings of a policy, and the window. */
export interface PolicyChosen {
  readonly preset: string;
  readonly settings: Settings;
  readonly window: Tokens;
}

/** Start of a run. */
export interface PolicyPlan extends PolicyChosen {
  readonly columns: SessionColumns;
  /** True if the policy's own agent wrote the recording: then its columns include the turns that the agent took by itself. Absent means false. */
  readonly own?: boolean;
}

/** Run of a policy on one recording. State between requests (failures, the last summary, cleared items) is in its own fields. */
export interface PolicyRun {
  /** Called once before every request, in order; `undefined` means no change. */
  readonly before: (view: ContextView) => Compaction | undefined;
  /** Compacts now, at any size; `undefined` if there is nothing to compact. Absent for a policy without this ability. Called in place of `before`. */
  readonly compact?: (view: ContextView) => Compaction | undefined;
  /**
   * Called in a pause, before the next prompt is in the context: may compact during it. If it compacts, `before` is not called for the request that
   * ends the pause. Absent for a run without such a rule.
   * @param minutes length of the pause; infinite after the last request of the session
   */
  readonly idle?: (view: ContextView, minutes: number) => IdleCompaction | undefined;
  /**
   * Minutes of a pause during which requests keep the cached context alive; 0 for none. Absent for a run that never sends such requests.
   * @param minutes as for `idle`
   */
  readonly keepAlive?: (request: RequestIndex, minutes: number) => number;
}

/** Size of an item after it has entered, for agents that shorten new items. */
export interface EntryRule {
  readonly tokens: (plan: PolicyPlan, item: ItemIndex, tokens: Tokens) => Tokens;
  /** Settings that the rule depends on, besides the preset; no other setting changes a size. */
  readonly settings: readonly string[];
}

/** Defaults of the settings about pauses, for an agent that acts in them. */
export interface PauseDefaults {
  readonly idleMinutes: number;
  readonly idleTokens: Tokens;
  readonly source: SettingSource;
  /** The ways to set the two in the real agent. */
  readonly inAgent?: { readonly idleMinutes?: InAgent | null; readonly idleTokens?: InAgent | null };
}

/**
 * A reason why compactions come above or below the threshold. `betweenTurns`: it is checked only between turns. `beforePrompts`: the history can be
 * cut only before a prompt. `turnSum`: after a turn, the sum of the turn's inputs is compared. `hiddenReasoning`: reasoning that the usage does not
 * count is added. `afterPrefix`: only items after the first request since the last summary are compared.
 */
export type ThresholdRule = "betweenTurns" | "beforePrompts" | "turnSum" | "hiddenReasoning" | "afterPrefix";

/** Compaction policy that reads the columns alone. Deterministic: the same plan and the same views give the same answers. */
export interface Policy {
  readonly id: string;
  readonly label: string;
  /** The first is the default. */
  readonly presets: readonly string[];
  /** Second name of a preset that follows the newest release of the program: the month of that release, `2026-09`. */
  readonly presetDates?: Readonly<Record<string, string>>;
  readonly settings: (preset: string, context: PolicyContext) => readonly SettingSpec[];
  /** Measures beyond tokens that the policy uses, by their names in `columns.measures`; without them it falls back on sizes. */
  readonly measures?: readonly string[];
  /** Id of the agent that these measures are named by; absent if the policy has its own. */
  readonly measuredBy?: string;
  /** Applied to items as they enter if `entryTruncation` is set; if absent, items enter as counted. */
  readonly entryRule?: EntryRule;
  /**
   * Size of an item after the agent's repair of calls and results, under any settings: with a made-up result for a call without one, and 0 for items
   * that are not sent. Results leave only in the agent's own recordings. Absent for agents without such a repair, and if the entry rule includes it.
   */
  readonly pairedTokens?: (
    plan: Pick<PolicyPlan, "columns" | "preset" | "own">,
    item: ItemIndex,
    tokens: Tokens,
  ) => Tokens;
  /** The agent's own name for clearing old results, if it has one. */
  readonly clearsBy?: "pruning" | "masking";
  /** `false` for a policy without summary calls: settings about summaries have no effect on it. */
  readonly summarises?: false;
  /**
   * Context size at which it fires, drawn as a line in charts. Absent for policies without one, and `undefined` under settings without one. Also
   * called without a replay.
   */
  readonly threshold?: (chosen: PolicyChosen) => Tokens | undefined;
  /** Why its compactions may come above or below `threshold`; absent, or `undefined`, if they come at the first request that reaches it. */
  readonly thresholdRule?: (chosen: PolicyChosen) => ThresholdRule | undefined;
  /** True if the program compares a count of its own where it knows no usage. Absent if it compares recorded usage alone, or that is unknown. */
  readonly countsWithoutUsage?: true;
  /**
   * True if it considers clearing, masking or shortening older results before every request; absent if it never does. The other policies only compare
   * a size between their compactions.
   */
  readonly looksBack?: (chosen: PolicyChosen) => boolean;
  /** Defaults of the settings about pauses (`pauseSettings`) in a preset whose agent compacts while idle; absent for agents that never do. */
  readonly pauses?: (preset: string) => PauseDefaults | undefined;
  readonly begin: (plan: PolicyPlan) => PolicyRun;
  /** File name of a user's own policy, used in messages; absent for built-in policies. */
  readonly own?: string;
}
