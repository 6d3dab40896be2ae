import type { OverheadCategoryId } from "../base/categories";
import type { Bytes, Chars, LineNumber, Milliseconds, Tokens } from "../base/units";
import type { Damage, Problem } from "../records/problem";
import type { KnownFacts } from "./session-facts";

/**
 * The transcript: the content of a session file, in the terms of CONTRIBUTING.md, "Vocabulary", the same for every agent. Readers create it through
 * `TranscriptBuilder`; all other code only reads it.
 *
 * Long text is stored by reference (`TextMeasure.value` is absent, `Block.source` locates it), so that a 1 GB file does not become 1 GB of memory.
 * Its sizes (bytes, chars) are always present.
 */

export type Role = "user" | "assistant" | "system";

/** Source of a message. It decides the category and which items a policy may change. */
export type Origin =
  /** Typed by a person. Starts a turn. */
  | "typed"
  /** A response of the model. */
  | "response"
  /** Results of tool calls. */
  | "tool"
  /** Inserted by the agent: reminders, environment, instructions, skill bodies, attachments. */
  | "context"
  /** Summary of a recorded compaction. */
  | "summary";

export type BlockKind = "text" | "thinking" | "tool_call" | "tool_result" | "image";

/** Sizes of one text, and the text itself if it is short or the host keeps it. */
export interface TextMeasure {
  readonly chars: Chars;
  readonly bytes: Bytes;
  /** The text; absent if it is stored by reference. */
  readonly value?: string;
}

/** Location of a block's text: the record's bytes in the file, and the block's ordinal in the record. */
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
  /** Content that the model reads: the text; a call's arguments as JSON; a result's text; an image's payload (measured only). */
  readonly text: TextMeasure;
  readonly source: BlockSource;
  /** Links a call and its result. */
  readonly callId?: string | undefined;
  /** Tool of a call; the builder copies it to the result. */
  readonly tool?: string | undefined;
  /** File that a call reads or writes, as written in its arguments. */
  readonly file?: string | undefined;
  readonly isError?: boolean | undefined;
  /** The sizes are not those of the text that was sent: a publisher masked it, so they are the mask's or our estimate. */
  readonly estimated?: boolean | undefined;
  /** Category in a breakdown if the message does not decide it: for instructions among the messages. */
  readonly category?: OverheadCategoryId | undefined;
}

export interface Message {
  readonly role: Role;
  readonly origin: Origin;
  readonly line: LineNumber;
  readonly at?: Milliseconds | undefined;
  readonly blocks: readonly Block[];
  /**
   * The model saw it, but a replay does not contain it: a recorded summary, or a copy that a compaction restored. Only the policy `recorded` shows
   * it.
   */
  readonly recordedOnly?: boolean | undefined;
  /** The agent re-creates it after every compaction (Codex's initial context). */
  readonly initialContext?: boolean | undefined;
  /** The agent omits this message (a command, for example) when it resumes the session from its file. */
  readonly notResumed?: boolean | undefined;
  /** The response's recorded usage counts only the start of its output, although the program knew all of it. */
  readonly partialOutput?: boolean | undefined;
}

/** Usage that the provider reported for one response. Absent fields were not recorded. `input` excludes the cached part. */
export interface Usage {
  readonly input: Tokens;
  readonly cacheRead?: Tokens | undefined;
  readonly cacheWrite?: Tokens | undefined;
  /** Part of `cacheWrite` with a cache TTL of 1 h; the rest has 5 min. */
  readonly cacheWrite1h?: Tokens | undefined;
  /** All generated tokens, including reasoning. */
  readonly output?: Tokens | undefined;
  readonly reasoning?: Tokens | undefined;
  /** Web searches by the provider. */
  readonly webSearches?: number | undefined;
  /** Cost of the request in US dollars as stated by the file. */
  readonly ownCost?: number | undefined;
}

/** Branch and folder of a request, as far as they differ from the session's own. No price depends on them. */
interface RequestPlace {
  /** Git branch. */
  readonly branch?: string;
  /** Working folder. */
  readonly folder?: string;
  /** Id of the subagent in the same file that made the request. */
  readonly subagent?: string;
}

/**
 * Conditions other than its size that decide the price of a request and its cache hits, and its place. Absent means the usual value, or not recorded.
 */
export interface RequestTerms extends RequestPlace {
  readonly speed?: string;
  readonly serviceTier?: string;
  readonly inferenceGeo?: string;
  /** Reasoning effort. */
  readonly effort?: string;
  /** Identifies the process that made the request: another process sends other texts. */
  readonly process?: string;
  /** Cause of a cache miss, if the provider stated one. */
  readonly missReason?: string;
}

/** Request point: one response of the main chain, with or without usage. */
export interface RequestPoint {
  /** Index of the first message of the response; the messages before it were sent. */
  readonly message: number;
  readonly line: LineNumber;
  readonly at?: Milliseconds | undefined;
  readonly model?: string | undefined;
  readonly usage?: Usage | undefined;
  /** Time of the record with the usage, if it differs from `at`. */
  readonly billedAt?: Milliseconds | undefined;
  readonly terms?: RequestTerms | undefined;
  /** The file attributes the request to another session. It fills this context, but that session paid for it. */
  readonly inherited?: boolean | undefined;
  /** Hash of the provider's response id, equal in every copy of the response; absent if the file has none. */
  readonly response?: number | undefined;
  /** The recorded output is only its beginning, so a sum with it is a lower bound. */
  readonly partialOutput?: boolean | undefined;
}

/**
 * Classes of requests outside of the main chain's context. `subagent`: by a subagent whose records are in the file. `branch`: on a branch that a
 * rewind abandoned. `pass`: a further pass within one response, such as an advisor's; the point itself has the usage of the last main pass.
 * `compaction`: the summary call.
 */
export type ExtraKind = "subagent" | "branch" | "pass" | "compaction";

/** A paid request outside of the main chain's context. */
export interface ExtraRequest extends Omit<RequestPoint, "message"> {
  readonly kind: ExtraKind;
  /** Index of the request point that a pass belongs to. */
  readonly point?: number | undefined;
  /** Index of the boundary that a summary call created; −1 if it is known to have created none. Absent: the first one recorded after it. */
  readonly boundary?: number | undefined;
  /** Further pass of another extra request, so not a request of its own. Implied by `pass`. */
  readonly furtherPass?: boolean | undefined;
}

/** Cause of a recorded compaction. `idle`: the agent compacted during a pause, before the prompt cache expired. */
export type CompactionTrigger = "auto" | "manual" | "overflow" | "unknown" | "idle";

/** A recorded change of history. */
export interface Boundary {
  /**
   * `compaction` counts as one in `inspect`. `clearing` is micro-compaction and pruning, shown as its own kind. In a `rollback` the user undid turns:
   * all messages except the kept ones left the context, including a simulated one.
   */
  readonly kind: "compaction" | "clearing" | "rollback";
  readonly line: LineNumber;
  readonly at?: Milliseconds | undefined;
  /** Duration, if recorded. */
  readonly took?: Milliseconds | undefined;
  /** Trigger as the record itself states it. */
  readonly trigger: CompactionTrigger;
  /** Trigger inferred from neighbouring records, if the record itself states none. */
  readonly inferredTrigger?: CompactionTrigger | undefined;
  /** Sizes that the record itself states, never those of a neighbouring record. */
  readonly tokensBefore?: Tokens | undefined;
  readonly tokensAfter?: Tokens | undefined;
  readonly summaryLine?: LineNumber | undefined;
  /** Index of the first message after the change. The messages before it left the context, except `kept`. */
  readonly message: number;
  /** Indices of earlier messages that were kept. */
  readonly kept: readonly number[];
  /** For `clearing`: the calls whose results were cleared. */
  readonly clearedCalls: readonly string[];
  /** Paths of the files that the summary was made with, as recorded. */
  readonly filesIncluded?: readonly string[] | undefined;
  /** Id of the preceding record, as stated by the record. */
  readonly parentUuid?: string | undefined;
}

/** Overhead that the file records: a row at the front of the columns. */
export interface OverheadEntry {
  readonly category: OverheadCategoryId;
  readonly name: string;
  readonly text: TextMeasure;
  readonly source: BlockSource;
}

/**
 * Rule that decided a window. `settings`: the agent's own settings files. `known-model`: the table of models. `assumed`: the table, for a model that
 * runs in several windows. `inferred`: the largest recorded context, which is a lower bound.
 */
type WindowSource = "recorded" | "user" | "settings" | "known-model" | "assumed" | "inferred" | "default";

interface WindowChange {
  readonly request: number;
  readonly tokens: Tokens;
}

export interface ContextWindow {
  readonly tokens: Tokens;
  readonly source: WindowSource;
  /** Window of the table or the default that a recorded context exceeds and so corrects. */
  readonly exceeded?: Tokens | undefined;
  /** Largest recorded context, if it exceeds the window that a policy works with: the real window is unknown. */
  readonly atLeast?: Tokens | undefined;
  /** Whole window, if the agent fills only a part of it (`tokens`): Codex records the part. */
  readonly whole?: Tokens | undefined;
  /** Part of the window (`tokens`) that the agent fills, if that is not all of it. */
  readonly effective?: Tokens | undefined;
  /** Name of the file that states it, `error` for a provider's refusal of a prompt, or the part of the agent's configuration. */
  readonly from?: string | undefined;
  /** Windows of a session whose models have several: each holds from a request on. */
  readonly changes?: readonly WindowChange[] | undefined;
  /** Windows by the rules of other presets of the session's agent, if they differ from this one. */
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
  /** 1 if the sizes are an estimate. */
  readonly estimated: Uint8Array;
  /** Code of an overhead category plus one; 0 if the message decides the category. */
  readonly category: Uint8Array;
  /** Indices into `callIds`, −1 for none; `tool` and `file` likewise. */
  readonly callId: Int32Array;
  readonly tool: Int32Array;
  readonly file: Int32Array;
  readonly callIds: readonly string[];
  readonly tools: readonly string[];
  readonly files: readonly string[];
  /** Returns the block of a row as an object. */
  block(row: number): Block;
  /** Location of a row's text. */
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
  /** Returns the message as an object. */
  message(index: number): Message;
}

/**
 * Relation to a parent session. `fork`: the session begins with a copy of the parent's records. `resume`: it continues the parent. `subagent`: a call
 * in the parent started it.
 */
export type ParentKind = "fork" | "resume" | "subagent";

export interface ParentSession {
  /** Name that the agent uses: an id, or the name of its file. */
  readonly session: string;
  readonly kind: ParentKind;
}

/** A subagent that this session started. */
export interface StartedSubagent {
  /** Its own id or its session's, depending on the agent. */
  readonly agentId: string;
  /** Call that started it. */
  readonly callId?: string;
  /** Its own records are in this file too. */
  readonly isInFile?: true;
}

/** Related sessions that a file names, each once. */
export interface SessionLinks {
  /** Id of the subagent to which the whole file belongs. */
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
  /** Messages as columns, for code that reads all of a large session. */
  readonly list: MessageRows;
  /** The same messages as objects, created on first access and then kept. */
  readonly messages: readonly Message[];
  readonly requests: readonly RequestPoint[];
  readonly boundaries: readonly Boundary[];
  /** Number of subagents with their own records in this file. */
  readonly sidechains: number;
  /** Requests outside of the context, each response once. */
  readonly extraRequests: readonly ExtraRequest[];
  readonly links: SessionLinks;
}
