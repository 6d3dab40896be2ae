import type { SessionColumns } from "@/lib/core/columns/columns";
import type { Settings } from "@/lib/core/compaction/settings";
import type { ContextProfile, CountText } from "@/lib/core/context/profile";
import type { StandingOverhead } from "@/lib/core/context/standing";
import type { CounterFor } from "@/lib/core/tokens/encodings";
import type { BlockContent, ItemEstimator } from "@/lib/core/tokens/item-estimator";
import type { ContextWindow, Message } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import type { Conformance } from "./golden";

/**
 * What the server knows of an agent, beside the profile that the browser may load too. Only the reader is there from the
 * start; everything else is loaded when it is first asked for.
 */
export interface ServerHalf {
  readonly reader: Reader;
  /** The agent's estimators by id, in the order in which they are offered. */
  readonly estimators?: Readonly<Record<string, EstimatorEntry>>;
  /** What the agent's policy measures of the texts beyond tokens. */
  readonly measures?: () => Promise<MessageMeasures>;
  /** What the agent sends to have a history summarised; absent where too little of it is known. */
  readonly summaryPrompt?: () => Promise<SummaryPromptRule>;
  /** How the agent shortens the texts that it sends. */
  readonly sentTexts?: () => Promise<SentTextsRule>;
  /** How the agent measures its own prompt, where it has a rule of its own for that. */
  readonly overhead?: () => Promise<OverheadRule>;
  /** The agent's own report of its context. */
  readonly report?: () => Promise<ContextReporter>;
  /** What the agent says once it has compacted; `undefined` where it says nothing. */
  readonly compactionReport?: () => Promise<CompactionReporter>;
  /** Adapters of the golden cases. */
  readonly golden?: (counterFor: CounterFor) => Promise<Conformance>;
}

/** What a rule may be asked for beside its id. */
export interface EstimatorChoice {
  /** What follows the id behind an `@`; the first of the entry's presets where nothing does. */
  readonly preset: string;
  /** For rules that depend on the model; each has a default of its own. */
  readonly model: string | undefined;
  /** Exact counters, which the host brings. */
  readonly counters: () => Promise<CounterFor>;
}

/** An estimator before it is loaded. */
export interface EstimatorEntry {
  /** Presets that may follow its id behind an `@`; the first is the default. Empty where it has none. */
  readonly presets: readonly string[];
  readonly load: (choice: EstimatorChoice) => ItemEstimator | Promise<ItemEstimator>;
}

/** What is measured of the texts beyond tokens: by name, one number a block of a message. */
export type MessageMeasures = (
  message: Message,
  contents: readonly BlockContent[],
  format: string,
) => Readonly<Record<string, readonly number[]>>;

/** A message of the history, with those of its blocks that are in the context, and their contents. */
export interface HistoryMessage {
  readonly message: Message;
  readonly contents: readonly BlockContent[];
}

/** What a rule may go by beside the history that is summarised. */
export interface PromptContext {
  /** The whole context before the compaction, what stays included. */
  readonly whole: readonly HistoryMessage[];
  /** Settings that were chosen; those that are missing have their default. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * What of a prompt is not known to the letter (its system prompt, the instructions around the history), or why it is as it is:
 * the session's own system prompt, a split turn in a call of its own, the wording of a document, a provider that compacts by
 * itself, a history that is summarised part by part.
 */
export type PromptNote =
  | "systemUnknown"
  | "instructionsUnknown"
  | "systemOwn"
  | "splitTurn"
  | "wordingOfDocument"
  | "onServer"
  | "inParts"
  | "inPartsAsked";

/** What is sent to have a history summarised. */
export interface PromptParts {
  /** System prompt of the call; `null` where it is not known, or is the session's own. */
  readonly system: string | null;
  /** Empty where nothing of it is known, or nothing is sent. */
  readonly text: string;
  /** History that goes along as messages in front of the text; absent where the text holds it. */
  readonly sent?: readonly HistoryMessage[];
  readonly notes?: readonly PromptNote[];
}

/**
 * What an agent sends to have a history summarised.
 * @param history what was in the context up to the last dropped item. @param format of the recording
 */
export type SummaryPromptRule = (
  history: readonly HistoryMessage[],
  preset: string,
  format: string,
  context: PromptContext,
) => PromptParts;

/** How an agent shortens the texts that it sends. What is absent it does not do, or it is not known how. */
export interface SentTexts {
  /** A tool's output as it enters the context. */
  readonly entered?: (text: string, tool: string | undefined) => string;
  /** What a compaction left of a text. @param left share of its size on entry */
  readonly truncated?: (text: string, tool: string | undefined, left: number) => string;
  /** What stands in the place of a cleared output. */
  readonly cleared?: (text: string, tool: string | undefined) => string;
}

export type SentTextsRule = (preset: string, settings: Settings) => SentTexts;

/** A context profile as the agent measures it. @param count tokens of a text under the estimator in force */
export type OverheadRule = (profile: ContextProfile, count: CountText) => StandingOverhead;

/** What an agent's report of its context is made from, beside the recording. */
export interface ReportSources {
  /** Name of the session's file. */
  readonly file: string;
  readonly sessionId: string | null;
  /** Text of the companion file, where there is one. */
  readonly companion?: string | undefined;
  readonly profile?: ContextProfile | undefined;
  readonly preset: string;
}

/** A request at which the report is asked for. */
export interface ReportQuestion extends ReportSources {
  readonly columns: SessionColumns;
  readonly request: number;
  readonly window: ContextWindow;
  /** The last one that the session names; empty where it names none. */
  readonly model: string;
}

/** A compaction as the agent's report of it may go by. */
export interface ReportedCompaction {
  readonly preset: string;
  readonly outcome: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Paths that were attached again. */
  readonly files: readonly string[];
}

export type CompactionReporter = (compaction: ReportedCompaction) => string | undefined;

/** What an agent reports of its context, beside the categories of the breakdown. */
export interface ContextReporter {
  /** Name of a file beside the transcripts that knows more of them. */
  readonly companion: string;
  /** The overhead that the report knows; `undefined` where there is none. */
  readonly overhead: (sources: ReportSources) => StandingOverhead | undefined;
  readonly at: (question: ReportQuestion) => ContextReport;
}

/** A report in the agent's own terms; what its ids are called in words stands in the messages, under the agent's id. */
export interface ContextReport {
  readonly facts: readonly ReportFact[];
  readonly tables: readonly ReportTable[];
  /** Texts as the agent prints them. */
  readonly texts: readonly { readonly id: string; readonly text: string }[];
  /** The facts as lines for a terminal. */
  readonly lines: readonly string[];
}

/** Something known, with what its words need; `null` where a value is not known. */
export interface ReportFact {
  readonly id: string;
  readonly values: Readonly<Record<string, ReportCell | null>>;
}

export interface ReportTable {
  readonly id: string;
  /** Their ids; the first one names the row. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ReportCell[])[];
}

/** A count, a name from the file, or a word that the messages have. */
export type ReportCell = number | string | { readonly word: string };
