import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import type { ItemCategoryId } from "../context/categories";
import type { SettingSpec, Settings } from "./settings";

/** What a policy's defaults may depend on. */
export interface PolicyContext {
  /** The window that the policy works with. */
  readonly window: Tokens;
  /** Sizes of the summaries recorded in this session; absent where there are none. */
  readonly recordedSummary?: { readonly mean: Tokens; readonly low: Tokens; readonly high: Tokens };
  /** The recording's agent, `null` for formats without one. */
  readonly agent: string | null;
}

/** The simulated context's items, oldest first, overhead not among them. */
export interface ContextItems {
  readonly length: number;
  /** The item at a position. Items at or above `columns.length` are synthetic: added by an earlier compaction. */
  at(position: number): ItemIndex;
  /** All of them in one array, for walks over many: it holds until the context changes, and is not to be written. */
  list(): Int32Array;
  /** Recorded tool results that are there, oldest first: it holds until the context changes, and is not to be written. */
  results(): Int32Array;
  /** Recorded tool results before a row that are still there, uncleared and larger than a placeholder. */
  clearable(before: ItemIndex): readonly ItemIndex[];
  /** Whether there are any: cheaper than looking for all of them. */
  hasClearable(before: ItemIndex): boolean;
  /** Whether a recorded item is in the context. */
  has(item: ItemIndex): boolean;
  /** Whether a recorded item that has entered is still there, and not cleared. */
  isWhole(item: ItemIndex): boolean;
}

/** What the policy sees when it is asked: before a request, never between a call and its result. */
export interface ContextView {
  readonly columns: SessionColumns;
  /** The request about to be sent. */
  readonly request: RequestIndex;
  readonly window: Tokens;
  readonly items: ContextItems;
  /** Tokens of an item as it stands in the simulated context, synthetic ones included. */
  tokensOf(item: ItemIndex): Tokens;
  /** The same as the estimator counts it, not scaled to the recorded usage: what an agent compares by its own count alone. */
  countOf(item: ItemIndex): Tokens;
  /** The item that a compaction added under this index; absent for recorded items. */
  synthetic(item: ItemIndex): SyntheticItem | undefined;
  /** Fixed overhead: system prompt, tools and what else no compaction removes. */
  readonly overhead: Tokens;
  /** Simulated contexts of the requests before this one, each as it was sent. Not to be written. */
  readonly sent: Int32Array;
  /** That of the last one; 0 before the first. */
  readonly lastInput: Tokens;
  /** What its response added, as its items are counted. */
  readonly lastOutput: Tokens;
  /** What its response put out by the recorded usage, while the simulation follows the recording; absent where that does not say. */
  readonly recordedOutput: Tokens | undefined;
  /** Simulated context of the first request since the last summary that was made, or of all; 0 before that one was answered. */
  readonly firstInput: Tokens;
  /** Estimate of the items after the last response. */
  readonly added: Tokens;
  /** The same as the estimator counts them, not scaled to the recorded usage. */
  readonly addedCount: Tokens;
  /** Estimate of everything that would be sent now, overhead included. */
  readonly history: Tokens;
  /** Whether a user turn starts with this request; otherwise the request is in the midst of one. */
  readonly turnStart: boolean;
  /** Simulated compactions so far. */
  readonly compactions: number;
  /** Those of them for which a summary was asked: clearings, trims and what was skipped are none. */
  readonly summaryCalls: number;
}

export type SimulatedTrigger = "threshold" | "overflow" | "manual";

export type Outcome = "summary" | "fallback" | "trim" | "clear" | "failed" | "blocked" | "skipped";

/**
 * What an added item is. `attachment`: content put back (files, pictures, the plan); `note`: a sentence of the program's own;
 * `request`: asks the model for something; `turn`: a whole turn that the program had by itself.
 */
export type AddedKind = "summary" | "acknowledgement" | "attachment" | "note" | "request" | "turn";

/** Something that a compaction puts into the context. */
export interface SyntheticItem {
  readonly kind: AddedKind;
  /** Under which the messages of the page have its words. */
  readonly name: string;
  /** Whose message it is; the user's where nothing is said. */
  readonly role?: "assistant" | "system";
  readonly category: ItemCategoryId;
  readonly tokens: Tokens;
  /** What a person is told that it is, in English. Nothing is decided by it. */
  readonly label: string;
  /** Files whose content it carries, for the boundary's details. */
  readonly files?: readonly string[];
  /** How many things it carries, where its words say so. */
  readonly count?: number;
}

/** Half-open ranges of positions in the context, ascending and apart from each other. */
export type Positions = readonly (readonly [from: number, to: number])[];

/** Numbers that a policy came by on its way, by name (`messages`, `chunkShare`): tokens, counts and shares. */
export type Figures = Readonly<Record<string, number>>;

/** What stays after a compaction. Everything else of the context is dropped. */
export interface Retention {
  /** Where the items stand that stay, recorded and synthetic ones alike: ranges, so that a long history costs nothing. */
  readonly kept: Positions;
  /** Kept items whose size changes. */
  readonly truncated: readonly (readonly [ItemIndex, Tokens])[];
  /** Kept items whose content was replaced by a placeholder, with the size that is left. */
  readonly cleared: readonly (readonly [ItemIndex, Tokens])[];
  readonly added: readonly SyntheticItem[];
  /** Where the added items stand: before the kept ones or after them. */
  readonly addedAt: "front" | "back";
  /**
   * How many of the newest kept items enter the history only after it, as what a person typed next does: they stand behind
   * what is added at the back, and no summary is made of them. None where nothing is said.
   */
  readonly entering?: number;
  /**
   * Whether the sizes hold for this request alone: with the next one the items are sent as they were. Nothing may be dropped or
   * added then.
   */
  readonly transient?: boolean;
  readonly outcome: Outcome;
  /** Tokens of the summary that was made, 0 where none was. */
  readonly summaryTokens: Tokens;
  /** Tokens sent to make it. */
  readonly summaryCallTokens: Tokens;
  /** For the boundary's details. */
  readonly figures?: Figures;
}

/** What is done before a request, and what set it off. */
export interface Compaction extends Retention {
  readonly trigger: SimulatedTrigger;
}

/** What was chosen of a policy. */
export interface PolicyChosen {
  readonly preset: string;
  readonly settings: Settings;
  readonly window: Tokens;
}

/** What a run is begun with. */
export interface PolicyPlan extends PolicyChosen {
  readonly columns: SessionColumns;
}

/**
 * A policy at work on one recording. What it has to remember between requests (failures, its last summary, what it cleared) it
 * keeps in fields of its own.
 */
export interface PolicyRun {
  /** Asked once before every request, in their order; `undefined` where nothing is done. */
  readonly before: (view: ContextView) => Compaction | undefined;
}

/** How large an item is once it has entered, where the agent shortens what enters. */
export interface EntryRule {
  readonly tokens: (plan: PolicyPlan, item: ItemIndex, tokens: Tokens) => Tokens;
  /** Settings that it goes by, beside the preset; no other one changes a size. */
  readonly settings: readonly string[];
}

/** A compaction policy over numbers. Deterministic: the same plan and the same views give the same answers. */
export interface Policy {
  readonly id: string;
  readonly label: string;
  /** The first is the default. */
  readonly presets: readonly string[];
  /** A second name of presets whose rules move on with the program: the month of the release that they follow, `2026-09`. */
  readonly presetDates?: Readonly<Record<string, string>>;
  readonly settings: (preset: string, context: PolicyContext) => readonly SettingSpec[];
  /** Measures beyond tokens that it goes by, names of `columns.measures`; without them it falls back on sizes. */
  readonly measures?: readonly string[];
  /** Applied as items enter, where `entryTruncation` is set; absent: they enter as counted. */
  readonly entryRule?: EntryRule;
  /** What its agent calls the clearing of old results, where it has a name of its own for it. */
  readonly clearsBy?: "pruning" | "masking";
  /** `false` where it never asks for a summary: the settings of one change nothing. */
  readonly summarises?: false;
  /** The size at which it fires, drawn as a line; absent for policies without one. Asked where nothing is replayed too. */
  readonly threshold?: (chosen: PolicyChosen) => Tokens;
  /**
   * Whether it looks before every request for older results to clear, mask or shorten; absent where it never does. Between
   * their compactions the others only compare a size.
   */
  readonly looksBack?: (chosen: PolicyChosen) => boolean;
  readonly begin: (plan: PolicyPlan) => PolicyRun;
}
