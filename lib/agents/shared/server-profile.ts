import type { Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { Settings } from "@/lib/core/compaction/policy/settings";
import type { ContextProfile, CountText } from "@/lib/core/context/profile";
import type { StandingOverhead } from "@/lib/core/context/standing";
import type { WindowSettings } from "@/lib/core/context/window";
import type { CounterFor } from "@/lib/core/tokens/encodings";
import type { BlockContent, ItemEstimator } from "@/lib/core/tokens/item-estimator";
import type { ContextWindow, Message } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import type { AgentPlaces } from "./places";
import type { SessionDatabase } from "./session-database";

/**
 * What the server knows about an agent, in addition to the profile that the browser may load too. Only the reader is loaded from the start;
 * everything else is loaded when somebody first asks for it.
 */
export interface ServerProfile {
  readonly reader: Reader;
  /** How the agent keeps sessions in a database; absent where it does not. */
  readonly database?: () => Promise<SessionDatabase>;
  /** How files around a session's own state its models' windows; absent where none do. */
  readonly windowsBeside?: () => Promise<WindowsBeside>;
  /** The agent's settings files that state a window; absent where none do, or they are not known. */
  readonly settingsFiles?: () => Promise<SettingsFiles>;
  /** The agent's estimators by id, in the order in which they are shown. */
  readonly estimators?: Readonly<Record<string, EstimatorEntry>>;
  /** What the agent's policy measures in the texts besides tokens. */
  readonly measures?: () => Promise<MessageMeasures>;
  /** What a call put out, of the text of its result; absent where the text holds nothing else. */
  readonly resultText?: () => Promise<(text: string) => string>;
  /** What the agent sends to have a history summarised; absent where too little is known about it. */
  readonly summaryPrompt?: () => Promise<SummaryPromptRule>;
  /** How the agent shortens the texts that it sends. */
  readonly sentTexts?: () => Promise<SentTextsRule>;
  /** How the agent measures its own prompt; absent where it has no rule of its own. */
  readonly overhead?: () => Promise<OverheadRule>;
  /** The agent's own report of its context. */
  readonly report?: () => Promise<ContextReporter>;
  /** What the agent says after a compaction; `undefined` where it says nothing. */
  readonly compactionReport?: () => Promise<CompactionReporter>;
}

/** What a session is known by in files around its own. */
export interface BesideSession {
  /** Name of the session's file. */
  readonly file: string;
  readonly sessionId: string | null;
}

/** How files around a session's own state its models' windows. They are read where they lie, and never written. */
export interface WindowsBeside {
  /** Name of the folder with the sessions' files: elsewhere, nothing around a file is looked at. */
  readonly folder: string;
  /** Paths from that folder, each under a name of ours. */
  readonly files: Readonly<Record<string, string>>;
  /** Window facts by the rules of a preset. @param texts of the files that exist, by those names */
  readonly of: (
    texts: Readonly<Record<string, string | undefined>>,
    session: BesideSession,
  ) => (preset: string) => WindowSettings;
  /** The same from the agent's configuration in a context profile alone. */
  readonly ofConfig: (config: Readonly<Record<string, unknown>>, preset: string) => WindowSettings;
}

/** Settings files that state the window at which the agent compacts. They hold for the sessions of its own folder. */
export interface SettingsFiles {
  readonly places: AgentPlaces;
  /** Folder of the sessions, below the agent's own. */
  readonly sessions: string;
  /** An administrator's settings for all users of a machine, by platform. */
  readonly managed: Readonly<Partial<Record<string, string>>>;
  /** Paths within a project, the one with the higher precedence first. */
  readonly project: readonly string[];
  /** Path within the agent's own folder. */
  readonly user: string;
  /**
   * The window, and the file that states it; `undefined` if no file does.
   * @param texts of the files, the one with the highest precedence first; empty where a file is absent
   */
  readonly window: (texts: readonly string[], model: string | undefined) => WindowInFiles | undefined;
}

/** A window, and the place of the file that states it. */
export interface WindowInFiles {
  readonly tokens: Tokens;
  readonly file: number;
}

/** How an estimator is chosen, besides its id. */
interface EstimatorChoice {
  /** The preset that follows the id after an `@`; without one, the first of the entry's presets. */
  readonly preset: string;
  /** The model, for rules that depend on it; each rule has a default of its own. */
  readonly model: string | undefined;
  /** Exact counters, which the host provides. */
  readonly counters: () => Promise<CounterFor>;
}

/** An estimator before it is loaded. */
export interface EstimatorEntry {
  /** Presets that may follow the id after an `@`; the first is the default. Empty where it has none. */
  readonly presets: readonly string[];
  readonly load: (choice: EstimatorChoice) => ItemEstimator | Promise<ItemEstimator>;
}

/**
 * Measures of the texts besides tokens: by name, one number, or one list of numbers, for each block of a message. Lists become two columns, as of a
 * `RaggedColumn`: `NAME.offset` and `NAME.value`.
 */
export type MessageMeasures = (
  message: Message,
  contents: readonly BlockContent[],
  format: string,
) => Readonly<Record<string, readonly number[] | readonly (readonly number[])[]>>;

/** A message of the history, with those of its blocks that are in the context and their contents. */
export interface HistoryMessage {
  readonly message: Message;
  readonly contents: readonly BlockContent[];
}

/** A message of the history with its texts from the file. */
export interface SentMessage extends HistoryMessage {
  /** For every content, the limits to which compactions cut it: in tokens, oldest first. */
  readonly limits: readonly (readonly Tokens[])[];
}

/** What a rule may use besides the history that is summarised. */
interface PromptContext {
  /** The whole context before the compaction, including what stays. */
  readonly whole: readonly HistoryMessage[];
  /** The chosen settings; one that is missing has its default. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * Which part of a prompt is not known to the letter (its system prompt, the instructions around the history), or why the prompt looks as it does:
 * the session's own system prompt, a split turn in a call of its own, the wording of a document, a provider that compacts by itself, a history
 * that is summarised part by part.
 */
type PromptNote =
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
  /** System prompt of the call; `null` where it is unknown, or where it is the session's own. */
  readonly system: string | null;
  /** The text of the request; empty where nothing of it is known, or nothing is sent. */
  readonly text: string;
  /** The part of the history that is sent as messages before the text; absent where the text holds it. */
  readonly sent?: readonly HistoryMessage[];
  /** What the agent puts before and after the answer, where it enters the context; absent where that is not known. */
  readonly around?: readonly [before: string, after: string];
  readonly notes?: readonly PromptNote[];
}

/**
 * What an agent sends to have a history summarised.
 * @param history what was in the context up to the last dropped item
 * @param format the recording's format
 */
export type SummaryPromptRule = (
  history: readonly HistoryMessage[],
  preset: string,
  format: string,
  context: PromptContext,
) => PromptParts;

/** How an agent shortens the texts that it sends. A function is absent where the agent does not do that, or nobody knows how. */
export interface SentTexts {
  /** The text of a tool result as it enters the context. */
  readonly entered?: (text: string, tool: string | undefined) => string;
  /** What a compaction leaves of a text. @param left share of its size on entry */
  readonly truncated?: (text: string, tool: string | undefined, left: number) => string;
  /** All messages of a history as they are sent, for agents that process several texts together; replaces the other functions. */
  readonly history?: (messages: readonly SentMessage[], format: string) => readonly HistoryMessage[];
  /** The messages of a request with calls and results paired. @param format the recording's format */
  readonly paired?: (messages: readonly HistoryMessage[], preset: string, format: string) => readonly HistoryMessage[];
  /** The text that replaces a cleared result. */
  readonly cleared?: (text: string, tool: string | undefined) => string;
}

type SentTextsRule = (preset: string, settings: Settings) => SentTexts;

/** How the agent measures a context profile. @param count tokens of a text under the chosen estimator */
type OverheadRule = (profile: ContextProfile, count: CountText) => StandingOverhead;

/** What an agent's report of its context is made from, besides the recording. */
export interface ReportSources {
  /** Name of the session's file. */
  readonly file: string;
  readonly sessionId: string | null;
  /** Text of the companion file, where there is one. */
  readonly companion?: string | undefined;
  readonly profile?: ContextProfile | undefined;
  readonly preset: string;
}

/** The request for which the report is made. */
export interface ReportQuestion extends ReportSources {
  readonly columns: SessionColumns;
  readonly request: number;
  readonly window: ContextWindow;
  /** The last model that the session names; empty where it names none. */
  readonly model: string;
}

/** What the agent's report of a compaction may use. */
export interface ReportedCompaction {
  readonly preset: string;
  readonly outcome: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Paths of the files that were attached again. */
  readonly files: readonly string[];
}

type CompactionReporter = (compaction: ReportedCompaction) => string | undefined;

/** What an agent reports about its context, besides the categories of the breakdown. */
export interface ContextReporter {
  /** Name of a file beside the transcripts that holds more about them. */
  readonly companion: string;
  /** The overhead that the report states; `undefined` where it states none. */
  readonly overhead: (sources: ReportSources) => StandingOverhead | undefined;
  readonly at: (question: ReportQuestion) => ContextReport;
}

/** A report in the agent's own terms. The words for its ids are in the messages, under the agent's id. */
export interface ContextReport {
  readonly facts: readonly ReportFact[];
  readonly tables: readonly ReportTable[];
  /** Texts exactly as the agent prints them. */
  readonly texts: readonly { readonly id: string; readonly text: string }[];
  /** The report as the agent prints it for programs. */
  readonly json: string;
  /** The facts as lines for a terminal. */
  readonly lines: readonly string[];
}

/** One fact of the report, with the values that its words need; `null` where a value is unknown. */
export interface ReportFact {
  readonly id: string;
  readonly values: Readonly<Record<string, ReportCell | null>>;
}

export interface ReportTable {
  readonly id: string;
  /** Ids of the columns; the first column names the row. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ReportCell[])[];
}

/** A count, a name from the file, or a word that is in the messages. */
type ReportCell = number | string | { readonly word: string };
