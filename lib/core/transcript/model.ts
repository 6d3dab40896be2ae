import type { Bytes, Chars, LineNumber, Milliseconds, Tokens } from "../base/units";
import type { OverheadCategoryId } from "../context/categories";
import type { Damage, Problem } from "./problem";

/**
 * The transcript: what a session file says, in the words of CONTRIBUTING.md, "Vocabulary", whatever agent wrote it.
 * Readers fill it through `TranscriptBuilder`; everyone else only reads it.
 *
 * Long text is held by reference (`TextMeasure.value` is absent, `Block.source` says where it lies), so that a
 * 1 GB file does not become 1 GB of memory. What is measured of it (bytes, chars) is always here.
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

/** Sizes of one text, and the text itself where it is short or the host keeps it. */
export interface TextMeasure {
  readonly chars: Chars;
  readonly bytes: Bytes;
  /** The text; absent where only its place is kept. */
  readonly value?: string;
}

/** Where a block's text lies: the record's bytes in the file, and which of that record's blocks it is. */
export interface BlockSource {
  readonly line: LineNumber;
  readonly offset: Bytes;
  readonly length: Bytes;
  /** Ordinal among the blocks that `Reader.texts` gives for that record. */
  readonly part: number;
}

/** One content block: becomes one row of the columns (an item). */
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
  /** The sizes are an estimate of ours: the file holds neither the text nor its length. */
  readonly estimated?: boolean;
  /** Where it counts in a breakdown, where its message does not say: instructions that stand among the messages. */
  readonly category?: OverheadCategoryId;
}

export interface Message {
  readonly role: Role;
  readonly origin: Origin;
  readonly line: LineNumber;
  readonly at?: Milliseconds;
  readonly blocks: readonly Block[];
  /**
   * Part of what the model saw, but not of the trajectory that a replay re-runs: a recorded summary, a copy that a
   * compaction put back. Only the policy `recorded` shows it.
   */
  readonly recordedOnly?: boolean;
  /** Re-created by the agent after every compaction (Codex's initial context). */
  readonly initialContext?: boolean;
  /** What the agent leaves out when it resumes the session from its file: a command, for instance. */
  readonly notResumed?: boolean;
  /** Of a response: the usage counts only the start of its output, where the program itself went by all of it. */
  readonly partialOutput?: boolean;
}

/** What the provider reported for one response. Absent fields were not recorded. `input` excludes the cached part. */
export interface Usage {
  readonly input: Tokens;
  readonly cacheRead?: Tokens;
  readonly cacheWrite?: Tokens;
  /** The part of `cacheWrite` that was written for an hour; the rest was for five minutes. */
  readonly cacheWrite1h?: Tokens;
  /** Everything generated, reasoning included. */
  readonly output?: Tokens;
  readonly reasoning?: Tokens;
  /** Searches on the web that the provider made. */
  readonly webSearches?: number;
  /** What the file itself says that the request cost, in US dollars. */
  readonly ownCost?: number;
}

/** What beyond its size decides what a request costs, and whether a cache could serve it. Absent is the usual, or not recorded. */
export interface RequestTerms {
  readonly speed?: string;
  readonly serviceTier?: string;
  readonly inferenceGeo?: string;
  /** How much the model was told to think. */
  readonly effort?: string;
  /** Who made the request: texts differ where another process did. */
  readonly process?: string;
  /** Why the cache was not hit, where the provider said so. */
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
  /** Time of the record that holds the usage, where that is another one than `at`. */
  readonly billedAt?: Milliseconds;
  readonly terms?: RequestTerms;
}

/** A request of a subagent: its messages are no part of this transcript. */
export type SidechainRequest = Omit<RequestPoint, "message">;

export type CompactionTrigger = "auto" | "manual" | "overflow" | "unknown";

/** A recorded change of history. */
export interface Boundary {
  /**
   * `compaction` counts as one in `inspect`; `clearing` is micro-compaction and pruning, shown as its own kind; with
   * `rollback` the person took turns back: what is not kept left the context, of a simulation as well.
   */
  readonly kind: "compaction" | "clearing" | "rollback";
  readonly line: LineNumber;
  readonly at?: Milliseconds;
  /** How long it took, where the record says. */
  readonly took?: Milliseconds;
  /** As the record itself says. */
  readonly trigger: CompactionTrigger;
  /** What the records around it tell, where the record itself does not say. */
  readonly toldTrigger?: CompactionTrigger;
  /** The record's own figures, never a neighbour's. */
  readonly tokensBefore?: Tokens;
  readonly tokensAfter?: Tokens;
  readonly summaryLine?: LineNumber;
  /** Index of the first message after the change: those before it left the context, save `kept`. */
  readonly message: number;
  /** Indices of earlier messages that stayed. */
  readonly kept: readonly number[];
  /** For `clearing`: the calls whose results were cleared. */
  readonly clearedCalls: readonly string[];
}

/** Fixed overhead that the file records: a row at the front of the columns. */
export interface OverheadEntry {
  readonly category: OverheadCategoryId;
  readonly name: string;
  readonly text: TextMeasure;
  readonly source: BlockSource;
}

export type WindowSource = "recorded" | "user" | "known-model" | "inferred" | "default";

export interface ContextWindow {
  readonly tokens: Tokens;
  readonly source: WindowSource;
}

export interface RecordCounts {
  readonly total: number;
  readonly byType: ReadonlyMap<string, number>;
  readonly unknown: ReadonlyMap<string, number>;
}

/** Blocks as columns, one row a block; the arrays may be longer than `length`. */
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
  /** One more than the code of a category of the overhead; 0 where the message says where the block counts. */
  readonly category: Uint8Array;
  /** Indices into `callIds`, −1 without one; `tool` and `file` likewise. */
  readonly callId: Int32Array;
  readonly tool: Int32Array;
  readonly file: Int32Array;
  readonly callIds: readonly string[];
  readonly tools: readonly string[];
  readonly files: readonly string[];
  /** The block of a row as an object. */
  block(row: number): Block;
  /** Where the text of a row lies. */
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
  /** Row of the first block of a message in `blocks`; of the index behind the last message: the number of blocks. */
  firstBlock(index: number): number;
  /** The message as an object. */
  message(index: number): Message;
}

/**
 * How a session came from another one. `fork`: it begins with a copy of that one's records. `resume`: it goes on with that
 * one. `subagent`: a call there started it.
 */
export type ParentKind = "fork" | "resume" | "subagent";

export interface ParentSession {
  /** As the agent names it: an id, or the name of its file. */
  readonly session: string;
  readonly kind: ParentKind;
}

/** A subagent that this session started. */
export interface StartedSubagent {
  /** Its own id, or its session's, whichever the agent writes. */
  readonly agentId: string;
  /** The call that started it. */
  readonly callId?: string;
}

/** What a file says of the sessions that its own hangs together with, each once. */
export interface SessionLinks {
  /** Present where the file is a subagent's: its own id. */
  readonly agentId?: string;
  readonly parents: readonly ParentSession[];
  readonly subagents: readonly StartedSubagent[];
}

export interface Transcript {
  readonly format: string;
  readonly agent: string | null;
  readonly agentVersion?: string;
  /** Version of the file's format, where its header has one. */
  readonly formatVersion?: number;
  readonly sessionId?: string;
  readonly title?: string;
  /** Folder in which the agent worked. */
  readonly project?: string;
  readonly branch?: string;
  readonly startedAt?: Milliseconds;
  readonly endedAt?: Milliseconds;
  readonly models: readonly string[];
  /** As the file records it; `resolveWindow` decides what is used. */
  readonly recordedWindow?: Tokens;
  readonly records: RecordCounts;
  readonly damaged: readonly Damage[];
  readonly problems: readonly Problem[];
  readonly overhead: readonly OverheadEntry[];
  /** The messages as columns: what walks all of a large session does so here. */
  readonly list: MessageRows;
  /** The same messages as objects, made when they are first looked at and held from then on. */
  readonly messages: readonly Message[];
  readonly requests: readonly RequestPoint[];
  readonly boundaries: readonly Boundary[];
  /** Subagents whose own records are in this file. */
  readonly sidechains: number;
  /** Their requests, each response once. */
  readonly sidechainRequests: readonly SidechainRequest[];
  readonly links: SessionLinks;
}
