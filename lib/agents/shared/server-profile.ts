import type { ServerOff } from "@/lib/core/analysis/unused-tools";
import type { Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { Settings } from "@/lib/core/compaction/policy/settings";
import type { ContextOverhead } from "@/lib/core/context/context-overhead";
import type { ContextProfile, CountText } from "@/lib/core/context/profile";
import type { WindowSettings } from "@/lib/core/context/window";
import type { CounterFor } from "@/lib/core/tokens/encodings";
import type { BlockContent, ItemEstimator } from "@/lib/core/tokens/item-estimator";
import type { ContextWindow, Message } from "@/lib/core/transcript/model";
import type { Reader } from "@/lib/core/transcript/reader";
import type { AgentPlaces } from "./places";
import type { SessionDatabase } from "./session-database";

/**
 * Server-side facts about an agent, in addition to the browser profile. Only the reader is loaded from the start; everything else is loaded at its
 * first use.
 */
export interface ServerProfile {
  readonly reader: Reader;
  /** Reader of the agent's sessions in a database; absent if it keeps none there. */
  readonly database?: () => Promise<SessionDatabase>;
  /** Reader of model windows from files around a session's own; absent if none state them. */
  readonly windowsBeside?: () => Promise<WindowsBeside>;
  /** The agent's settings files that state a window; absent if none do, or they are not known. */
  readonly settingsFiles?: () => Promise<SettingsFiles>;
  /** The way to turn an MCP server off; absent if unknown. */
  readonly serverOff?: ServerOff;
  /** The agent's estimators by id, in the order in which they are shown. */
  readonly estimators?: Readonly<Record<string, EstimatorEntry>>;
  /** Measures of the texts that the agent's policy needs besides tokens. */
  readonly measures?: () => Promise<MessageMeasures>;
  /** Output of a call, from the text of its result; absent if the text holds nothing else. */
  readonly resultText?: () => Promise<(text: string) => string>;
  /** The agent's prompt for a summary; absent if too little is known about it. */
  readonly summaryPrompt?: () => Promise<SummaryPromptRule>;
  /** The agent's truncation of the texts that it sends. */
  readonly sentTexts?: () => Promise<SentTextsRule>;
  /** The agent's measurement of its own prompt; absent if it has no rule of its own. */
  readonly overhead?: () => Promise<OverheadRule>;
  /** The agent's own report of its context. */
  readonly report?: () => Promise<ContextReporter>;
}

/** Identity of a session in files around its own. */
export interface SessionIdentity {
  /** Name of the session's file. */
  readonly file: string;
  readonly sessionId: string | null;
}

/** Reads model windows from files around a session's own. They are read in place, and never written. */
export interface WindowsBeside {
  /** Name of the folder with the sessions' files: files around a session elsewhere are ignored. */
  readonly folder: string;
  /** Paths from that folder, each under a name of ours. */
  readonly files: Readonly<Record<string, string>>;
  /** Window facts by the rules of a preset. @param texts of the files that exist, by those names */
  readonly of: (
    texts: Readonly<Record<string, string | undefined>>,
    session: SessionIdentity,
  ) => (preset: string) => WindowSettings;
  /** Window facts from the agent's configuration in a context profile alone. */
  readonly ofConfig: (config: Readonly<Record<string, unknown>>, preset: string) => WindowSettings;
}

/** An agent's settings files, which are read in place and never written. They apply to the sessions in its own folders. */
export interface SettingsFiles {
  readonly places: Pick<AgentPlaces, "roots">;
  /** Folders of the sessions, below the agent's own; empty text for that folder itself. */
  readonly sessions: readonly string[];
  /** An administrator's settings by platform, which override all others. */
  readonly managed?: Readonly<Partial<Record<string, string>>>;
  /** Paths within a project, the one with the highest precedence first. */
  readonly project: readonly string[];
  /** True if the folders above a project's are searched too, up to its repository. */
  readonly isSearchedUpwards?: true;
  /** Paths of the user's own files from the agent's folder, the one with the highest precedence first. */
  readonly user: readonly string[];
  /** The folder of the user's own files, if it is not the one that holds the sessions. */
  readonly userRoots?: AgentPlaces["roots"];
  /** An administrator's settings by platform, which all others override. */
  readonly defaults?: Readonly<Partial<Record<string, string>>>;
  /** Entry of the user's own file without which a project's files are ignored: its key path for a folder, and its value. */
  readonly trust?: { readonly path: (folder: string) => readonly string[]; readonly is: string };
  /** Key path under which a file sets environment variables; absent if no file does. */
  readonly variables?: readonly string[];
  /** Key of the policy's setting that caps the window of a session; absent if none does. */
  readonly windowKey?: string;
  /** Key paths of further settings worth knowing, such as switches; shown, but no setting of the policy. */
  readonly others: readonly (readonly string[])[];
}

/** Options of an estimator besides its id. */
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
  /** Presets that may follow the id after an `@`; the first is the default. Empty if it has none. */
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

/** Inputs of a rule besides the history to summarise. */
interface PromptContext {
  /** The whole context before the compaction, including the kept part. */
  readonly whole: readonly HistoryMessage[];
  /** The chosen settings; a missing one has its default. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/**
 * Note on a prompt that is not known exactly (its system prompt, the instructions around the history), or on a special one: the session's own system
 * prompt, a split turn in a call of its own, the wording of a document, a provider that compacts by itself, a history that is summarised part by
 * part.
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

/** Prompt for a summary of a history. */
export interface PromptParts {
  /** System prompt of the call; `null` if it is unknown, or the session's own. */
  readonly system: string | null;
  /** The text of the request; empty if nothing of it is known, or nothing is sent. */
  readonly text: string;
  /** The part of the history that is sent as messages before the text; absent if the text holds it. */
  readonly sent?: readonly HistoryMessage[];
  /** Text that the agent puts before and after the answer in the context; absent if unknown. */
  readonly around?: readonly [before: string, after: string];
  readonly notes?: readonly PromptNote[];
}

/**
 * Returns the agent's prompt for a summary of a history.
 * @param history content of the context up to the last dropped item
 * @param format the recording's format
 */
export type SummaryPromptRule = (
  history: readonly HistoryMessage[],
  preset: string,
  format: string,
  context: PromptContext,
) => PromptParts;

/** The agent's truncation of the texts that it sends. A function is absent if the agent does not truncate there, or its rule is unknown. */
export interface SentTexts {
  /** The text of a tool result as it enters the context. */
  readonly entered?: (text: string, tool: string | undefined) => string;
  /**
   * Text left by a compaction.
   * @param left share of its size on entry
   */
  readonly truncated?: (text: string, tool: string | undefined, left: number) => string;
  /** All messages of a history as they are sent, for agents that process several texts together; replaces the other functions. */
  readonly history?: (messages: readonly SentMessage[], format: string) => readonly HistoryMessage[];
  /** The messages of a request with calls and results paired. @param format the recording's format */
  readonly paired?: (messages: readonly HistoryMessage[], preset: string, format: string) => readonly HistoryMessage[];
  /** The text that replaces a cleared result. */
  readonly cleared?: (text: string, tool: string | undefined) => string;
}

type SentTextsRule = (preset: string, settings: Settings) => SentTexts;

/**
 * Measures a context profile by the agent's rule.
 * @param count tokens of a text under the chosen estimator
 */
type OverheadRule = (profile: ContextProfile, count: CountText) => ContextOverhead;

/** Sources of an agent's report of its context, besides the recording. */
export interface ReportSources {
  /** Name of the session's file. */
  readonly file: string;
  readonly sessionId: string | null;
  /** Text of the companion file, if there is one. */
  readonly companion?: string | undefined;
  readonly profile?: ContextProfile | undefined;
  readonly preset: string;
}

/** The request for which the report is made. */
export interface ReportQuestion extends ReportSources {
  readonly columns: SessionColumns;
  readonly request: number;
  readonly window: ContextWindow;
  /** The last model that the session names; empty if it names none. */
  readonly model: string;
}

/** The agent's report about its context, besides the categories of the breakdown. */
export interface ContextReporter {
  /** Name of a file next to the transcripts with more facts about them. */
  readonly companion: string;
  /** The overhead that the report states; `undefined` if it states none. */
  readonly overhead: (sources: ReportSources) => ContextOverhead | undefined;
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

/** One fact of the report, with the values for its message; `null` if a value is unknown. */
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

/** A count, a name from the file, or a word from the messages. */
type ReportCell = number | string | { readonly word: string };
