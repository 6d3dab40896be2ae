import type { OverheadCategoryId } from "../base/categories";
import type { Bytes, Chars, LineNumber, Milliseconds, Tokens } from "../base/units";
import type { Damage, Problem } from "../records/problem";
import type { KnownFacts } from "./session-facts";

/**
 * The transcript: what a session file says, in the words of CONTRIBUTING.md, "Vocabulary", whatever agent wrote it. Readers fill it through
 * `TranscriptBuilder`; everyone else only reads it.
 *
 * Long text is held by reference (`TextMeasure.value` is absent, `Block.source` says where it is), so that a 1 GB file does not become 1 GB of
 * memory. Its sizes (bytes, chars) are always here.
 */

export type Role = "user" | "assistant" | "system";

/** Where a message came from; decides its category and what a policy may do with it. */
export type Origin =
  /** Typed by a person. Starts a turn. */
  | "typed"
  /** A response of the model. */
  | "response"
  /** Results of tool calls. */
  | "tool"
  /** Put in by the agent: reminders, environment, instructions, skill bodies, attachments. */
  | "context"
  /** The summary that a recorded compaction left. */
  | "summary";

export type BlockKind = "text" | "thinking" | "tool_call" | "tool_result" | "image";

/** Sizes of one text, and the text itself if it is short or the host keeps it. */
export interface TextMeasure {
  readonly chars: Chars;
  readonly bytes: Bytes;
  /** The text; absent where only its place is kept. */
  readonly value?: string;
}

/** Where a block's text is: the record's bytes in the file, and which of that record's blocks it is. */
export interface BlockSource {
  readonly line: LineNumber;
  readonly offset: Bytes;
  readonly length: Bytes;
  /** Ordinal among the blocks that `Reader.texts` returns for that record. */
  readonly part: number;
}

/** One content block, which becomes one row of the columns (an item). */
export interface Block {
  readonly kind: BlockKind;
  /** What the model reads of it: the text; a call's arguments as JSON; a result's text; an image's payload (measured only). */
  readonly text: TextMeasure;
  readonly source: BlockSource;
  /** Links a call and its result. */
  readonly callId?: string;
  /** The called tool, on calls; the builder copies it to the result. */
  readonly tool?: string;
  /** The file that a call reads or writes, as written in its arguments. */
  readonly file?: string;
  readonly isError?: boolean;
  /** The sizes are our estimate: the file holds neither the text nor its length. */
  readonly estimated?: boolean;
  /** Its category in a breakdown, where the message does not decide it: for instructions that stand among the messages. */
  readonly category?: OverheadCategoryId;
}

export interface Message {
  readonly role: Role;
  readonly origin: Origin;
  readonly line: LineNumber;
  readonly at?: Milliseconds;
  readonly blocks: readonly Block[];
  /**
   * The model saw it, but it is not part of the trajectory that a replay re-runs: a recorded summary, a copy that a compaction put back. Only the
   * policy `recorded` shows it.
   */
  readonly recordedOnly?: boolean;
  /** The agent re-creates it after every compaction (Codex's initial context). */
  readonly initialContext?: boolean;
  /** The agent leaves it out when it resumes the session from its file: a command, for instance. */
  readonly notResumed?: boolean;
  /** For a response whose recorded usage counts only the start of its output, while the program itself knew all of it. */
  readonly partialOutput?: boolean;
}

/** What the provider reported for one response. Absent fields were not recorded. `input` excludes the cached part. */
export interface Usage {
  readonly input: Tokens;
  readonly cacheRead?: Tokens;
  readonly cacheWrite?: Tokens;
  /** The part of `cacheWrite` that is cached for an hour; the rest is cached for five minutes. */
  readonly cacheWrite1h?: Tokens;
  /** Everything generated, reasoning included. */
  readonly output?: Tokens;
  readonly reasoning?: Tokens;
  /** Web searches that the provider made. */
  readonly webSearches?: number;
  /** The request's cost as the file itself states it, in US dollars. */
  readonly ownCost?: number;
}

/** What decides, beyond its size, the price of a request and whether a cache could serve it. Absent means the usual, or not recorded. */
export interface RequestTerms {
  readonly speed?: string;
  readonly serviceTier?: string;
  readonly inferenceGeo?: string;
  /** How much the model was told to think. */
  readonly effort?: string;
  /** Identifies the process that made the request: another process sends other texts. */
  readonly process?: string;
  /** Why the cache was missed, where the provider said so. */
  readonly missReason?: string;
}

/** A request point: one response of the main chain, with or without usage. */
export interface RequestPoint {
  /** Index of the first message of the response; what was sent lies before it. */
  readonly message: number;
  readonly line: LineNumber;
  readonly at?: Milliseconds;
  readonly model?: string;
  readonly usage?: Usage;
  /** Time of the record that holds the usage, if it differs from `at`. */
  readonly billedAt?: Milliseconds;
  readonly terms?: RequestTerms;
  /** Another session made it, as the file itself says: it fills this context and is on that session's bill. */
  readonly inherited?: boolean;
  /** A hash of the id that the provider gave the response, which every copy of it has; absent where the file has none. */
  readonly response?: number;
  /** The recorded output is only its beginning, so a sum with it is a lower bound. */
  readonly partialOutput?: boolean;
}

/**
 * Classes of requests that are not in the context of the main chain. `subagent`: a subagent whose records are in the file. `branch`: on a branch that a
 * rewind abandoned. `pass`: a further pass within one response, such as an advisor's; the point itself has the usage of the last main pass.
 * `compaction`: the call for a summary.
 */
export type ExtraKind = "subagent" | "branch" | "pass" | "compaction";

/** A request that was paid for, but is not in the context of the main chain. */
export interface ExtraRequest extends Omit<RequestPoint, "message"> {
  readonly kind: ExtraKind;
  /** The index of the request point that a pass belongs to. */
  readonly point?: number;
  /** The index of the boundary that a call for a summary made; −1 where it is known to have made none. Absent: the first one recorded after it. */
  readonly boundary?: number;
  /** It is a further pass of another extra request, so it is no request of its own. Implied by `pass`. */
  readonly furtherPass?: boolean;
}

export type CompactionTrigger = "auto" | "manual" | "overflow" | "unknown";

/** A recorded change of history. */
export interface Boundary {
  /**
   * `compaction` is what `inspect` counts as one. `clearing` is micro-compaction and pruning, shown as its own kind. In a `rollback` the person took
   * turns back: what is not kept left the context, including a simulated one.
   */
  readonly kind: "compaction" | "clearing" | "rollback";
  readonly line: LineNumber;
  readonly at?: Milliseconds;
  /** How long it took, where the record says. */
  readonly took?: Milliseconds;
  /** What the record itself says. */
  readonly trigger: CompactionTrigger;
  /** What the records around it tell, where the record itself does not say. */
  readonly toldTrigger?: CompactionTrigger;
  /** The sizes that the record itself states, never those of a neighbouring record. */
  readonly tokensBefore?: Tokens;
  readonly tokensAfter?: Tokens;
  readonly summaryLine?: LineNumber;
  /** Index of the first message after the change: those before it left the context, except `kept`. */
  readonly message: number;
  /** Indices of earlier messages that stayed. */
  readonly kept: readonly number[];
  /** For `clearing`: the calls whose results were cleared. */
  readonly clearedCalls: readonly string[];
  /** Paths of the files that the record says the summary was made with. */
  readonly filesIncluded?: readonly string[];
  /** Id of the record that it names as the one before it. */
  readonly parentUuid?: string;
}

/** Fixed overhead that the file records: a row at the front of the columns. */
export interface OverheadEntry {
  readonly category: OverheadCategoryId;
  readonly name: string;
  readonly text: TextMeasure;
  readonly source: BlockSource;
}

/**
 * The rule that gave a window. `settings`: the agent's own settings files. `known-model`: the table of models. `assumed`: the table, for a model that
 * runs in several windows. `inferred`: the largest recorded context, which is a lower bound.
 */
type WindowSource = "recorded" | "user" | "settings" | "known-model" | "assumed" | "inferred" | "default";

/** A window that holds from a request on. */
interface WindowChange {
  readonly request: number;
  readonly tokens: Tokens;
}

export interface ContextWindow {
  readonly tokens: Tokens;
  readonly source: WindowSource;
  /** The window that the table or the default gives, where a recorded context exceeds it and so corrects it. */
  readonly exceeded?: Tokens | undefined;
  /** The largest recorded context, where it exceeds the window that a policy works with: the real window is unknown. */
  readonly atLeast?: Tokens | undefined;
  /** The whole window, where the agent fills only a part of it (`tokens`): Codex records the part. */
  readonly whole?: Tokens | undefined;
  /** The part of the window (`tokens`) that the agent fills, where that is not all of it. */
  readonly effective?: Tokens | undefined;
  /** Name of the file that states it, `error` for a provider's refusal of a prompt, or the part of the agent's configuration. */
  readonly from?: string | undefined;
  /** The windows of a session whose models have several: each holds from a request on. */
  readonly changes?: readonly WindowChange[] | undefined;
  /** The windows by the rules of other presets of the session's agent, where they differ from this one. */
  readonly byPreset?: readonly PresetWindow[] | undefined;
}

interface PresetWindow extends Omit<ContextWindow, "byPreset"> {
  readonly preset: string;
}

interface RecordCounts {
  readonly total: number;
  readonly byType: ReadonlyMap<string, number>;
  readonly unknown: ReadonlyMap<string, number>;
}

/** Blocks as columns, one row per block; the arrays may be longer than `length`. */
export interface BlockRows {
  readonly length: number;
  /** Indices into `BLOCK_KINDS`. */
  readonly kind: Uint8Array;
  readonly chars: Int32Array;
  readonly bytes: Int32Array;
  /** 1 for a result that reports an error. */
  readonly isError: Uint8Array;
  /** 1 where the sizes are an estimate. */
  readonly estimated: Uint8Array;
  /** The code of an overhead category plus one; 0 where the message decides the category. */
  readonly category: Uint8Array;
  /** Indices into `callIds`, −1 for none; `tool` and `file` likewise. */
  readonly callId: Int32Array;
  readonly tool: Int32Array;
  readonly file: Int32Array;
  readonly callIds: readonly string[];
  readonly tools: readonly string[];
  readonly files: readonly string[];
  /** The block of a row as an object. */
  block(row: number): Block;
  /** Where the text of a row is. */
  source(row: number): BlockSource;
}

/** Messages as columns, by index. */
export interface MessageRows {
  readonly length: number;
  readonly blocks: BlockRows;
  role(index: number): Role;
  origin(index: number): Origin;
  line(index: number): LineNumber;
  /** NaN without a time. */
  at(index: number): Milliseconds;
  recordedOnly(index: number): boolean;
  initialContext(index: number): boolean;
  notResumed(index: number): boolean;
  partialOutput(index: number): boolean;
  /** Row in `blocks` of a message's first block; for the index after the last message, the number of blocks. */
  firstBlock(index: number): number;
  /** The message as an object. */
  message(index: number): Message;
}

/**
 * How a session came from another one. `fork`: it begins with a copy of the other's records. `resume`: it continues the other. `subagent`: a call in
 * the other started it.
 */
export type ParentKind = "fork" | "resume" | "subagent";

export interface ParentSession {
  /** The name that the agent uses: an id, or the name of its file. */
  readonly session: string;
  readonly kind: ParentKind;
}

/** A subagent that this session started. */
export interface StartedSubagent {
  /** Its own id or its session's, whichever the agent writes. */
  readonly agentId: string;
  /** The call that started it. */
  readonly callId?: string;
  /** Its own records are in this file too. */
  readonly isInFile?: true;
}

/** What a file says about sessions related to its own, each once. */
export interface SessionLinks {
  /** The subagent's id, where the file is a subagent's own. */
  readonly agentId?: string;
  readonly parents: readonly ParentSession[];
  readonly subagents: readonly StartedSubagent[];
}

export interface Transcript extends Readonly<KnownFacts> {
  readonly format: string;
  readonly agent: string | null;
  readonly startedAt?: Milliseconds;
  readonly endedAt?: Milliseconds;
  readonly models: readonly string[];
  readonly records: RecordCounts;
  readonly damaged: readonly Damage[];
  readonly problems: readonly Problem[];
  readonly overhead: readonly OverheadEntry[];
  /** The messages as columns, for code that walks all of a large session. */
  readonly list: MessageRows;
  /** The same messages as objects, made when they are first read and kept from then on. */
  readonly messages: readonly Message[];
  readonly requests: readonly RequestPoint[];
  readonly boundaries: readonly Boundary[];
  /** Number of subagents whose own records are in this file. */
  readonly sidechains: number;
  /** Requests outside of the context, each response once. */
  readonly extraRequests: readonly ExtraRequest[];
  readonly links: SessionLinks;
}
