import { codesOf } from "../base/codes";
import type { ItemIndex, Tokens } from "../base/units";
import type { ExtraKind, RequestTerms } from "../transcript/model";

/**
 * The columns: a session as numbers, in a struct of arrays with one row per item, in file order. The first `overheadRows` rows are the fixed
 * overhead: the recorded entries, then one inferred row. This comment specifies the format; `codec.ts` writes it as bytes.
 *
 * "None" is −1 in the index columns, NaN in the time columns, and −1 in the usage columns.
 */
export const COLUMNS_VERSION = 4;

/** Values of the column `kind`. */
export const KINDS = ["overhead", "text", "thinking", "tool_call", "tool_result", "image"] as const;
export const KIND = codesOf(KINDS);

/** Values of the column `role`. */
export const ROLES = ["system", "user", "assistant"] as const;
export const ROLE = codesOf(ROLES);

/** Values of the column `origin`: `Origin` of the transcript model, and `overhead`. */
export const ORIGINS = ["overhead", "typed", "response", "tool", "context", "summary"] as const;
export const ORIGIN = codesOf(ORIGINS);

/** Bits of the column `flags`. */
export const FLAG = {
  /** First item of a message that a person typed. */
  TURN_START: 1,
  /** First item of a message: a policy may cut the context before it. */
  MESSAGE_START: 2,
  /** Only in the recorded context: a replay does not contain the item. */
  RECORDED_ONLY: 4,
  /** The agent re-creates the item after every compaction. */
  INITIAL_CONTEXT: 8,
  /** On a result: it reports an error. */
  ERROR: 16,
  /** On a call, the same bit: no result in the file has its id, and no earlier call has its id. */
  UNANSWERED: 16,
  /** The agent omits the item when it resumes the session from its file. */
  NOT_RESUMED: 32,
  /** The size is that of a publisher's mask, or an estimate, because the sent text was masked. */
  ESTIMATED: 64,
  /** First item of a response whose recorded output is only the count at the start of its stream. */
  PARTIAL_OUTPUT: 128,
  /** On a result outside of a response, and on its images, the same bit: no earlier call has its id. */
  ORPHAN: 128,
} as const;

/** Lists of different lengths, one per item or boundary: the list of row i is `value[offset[i] .. offset[i + 1])`. */
export interface RaggedColumn {
  readonly offset: Int32Array;
  readonly value: Int32Array;
}

/** One row per request point. */
export interface RequestColumns {
  readonly length: number;
  /** First item of the response; the items before it were sent with the request. */
  readonly firstItem: Int32Array;
  /** Recorded usage; −1 where not recorded. */
  readonly input: Int32Array;
  readonly cacheRead: Int32Array;
  readonly cacheWrite: Int32Array;
  /** Part of `cacheWrite` with a cache TTL of 1 h. */
  readonly cacheWrite1h: Int32Array;
  readonly output: Int32Array;
  /** Reasoning part of `output`. */
  readonly reasoning: Int32Array;
  /** Web searches by the provider. */
  readonly webSearches: Int32Array;
  /** Cost in US dollars as stated by the file; NaN if it states none. */
  readonly ownCost: Float64Array;
  /** Time of the response's first record, in milliseconds since 1970. */
  readonly at: Float64Array;
  /** Time that decides the price: the time of the record with the usage. */
  readonly billedAt: Float64Array;
  /** Index into `tables.terms`. */
  readonly terms: Int32Array;
  /** Index into `tables.models`. */
  readonly model: Int32Array;
  readonly line: Int32Array;
  /** 1 for a request that another session made. It fills the context, but that session paid for it. */
  readonly inherited: Uint8Array;
  /** Hash of the response's id, equal in every copy of the response; NaN if none is recorded. */
  readonly response: Float64Array;
  /** 1 if the recorded output is only its beginning. */
  readonly partial: Uint8Array;
}

/** Values of the column `extra.kind`. */
export const EXTRA_KINDS = ["subagent", "branch", "pass", "compaction"] as const satisfies readonly ExtraKind[];
export const EXTRA = codesOf(EXTRA_KINDS);

/** One row per request outside of the context. `firstItem` has no meaning here. */
export interface ExtraColumns extends RequestColumns {
  /** Index into `EXTRA_KINDS`. */
  readonly kind: Uint8Array;
  /** Request point that a pass belongs to. */
  readonly point: Int32Array;
  /** Boundary row that a summary call created. */
  readonly boundary: Int32Array;
  /** 1 for a further pass of a response, which is not a request of its own. */
  readonly furtherPass: Uint8Array;
}

/** One row per recorded boundary. */
export interface BoundaryColumns {
  readonly length: number;
  /** First item after the change. The items before it left the context, except those in `kept`. */
  readonly item: Int32Array;
  /** The request point right after the boundary. */
  readonly request: Int32Array;
  readonly line: Int32Array;
  /** Index into `BOUNDARY_KINDS`. */
  readonly kind: Uint8Array;
  /** Index into `TRIGGERS`: stated by the record itself, else inferred from the records around it. */
  readonly trigger: Uint8Array;
  /** Sizes stated by the record; −1 if it states none. */
  readonly tokensBefore: Int32Array;
  readonly tokensAfter: Int32Array;
  readonly kept: RaggedColumn;
  readonly cleared: RaggedColumn;
}

export const BOUNDARY_KINDS = ["compaction", "clearing", "rollback"] as const;
export const BOUNDARY = codesOf(BOUNDARY_KINDS);

/** Rows of the recorded boundaries of one kind. */
export function boundariesOf(columns: SessionColumns, kind: (typeof BOUNDARY_KINDS)[number]): readonly number[] {
  const code = BOUNDARY_KINDS.indexOf(kind);
  return Array.from(columns.boundaries.kind, (_, row) => row).filter((row) => columns.boundaries.kind[row] === code);
}

export const TRIGGERS = ["auto", "manual", "overflow", "unknown", "idle"] as const;
export const TRIGGER = codesOf(TRIGGERS);

/** Terms of requests as in the transcript model, but with the process as a number, in order of first appearance. */
export type RequestTermsRow = Omit<RequestTerms, "process"> & { readonly process?: number };

export interface SessionColumns {
  readonly version: typeof COLUMNS_VERSION;
  readonly length: number;
  /** Number of overhead rows at the front. */
  readonly overheadRows: number;
  /** Tokens of each item under each requested estimator. A column sums to that estimator's total. */
  readonly tokens: Readonly<Record<string, Int32Array>>;
  /** Further columns that policies request, by name. */
  readonly measures: Readonly<Record<string, Int32Array>>;
  /** UTF-8 length of the text, or of an image's data; an estimate where `FLAG.ESTIMATED` is set. */
  readonly bytes: Int32Array;
  /** UTF-16 length of the text, or of an image's data; an estimate where `FLAG.ESTIMATED` is set. */
  readonly chars: Int32Array;
  /** Index into `ITEM_CATEGORIES`. */
  readonly category: Uint8Array;
  /** Index into `KINDS`. */
  readonly kind: Uint8Array;
  /** Index into `ROLES`. */
  readonly role: Uint8Array;
  /** Index into `ORIGINS`. */
  readonly origin: Uint8Array;
  /** Bits of `FLAG`. */
  readonly flags: Uint8Array;
  /** Message, counted from 0; −1 on overhead rows. */
  readonly message: Int32Array;
  /** Turn, counted from 0; −1 on items before the first typed message. */
  readonly turn: Int32Array;
  /** On a call the row of its first result, on a result the row of its call. */
  readonly pair: Int32Array;
  /** Index into `tables.tools`, on calls, results, and overhead rows that declare a tool. */
  readonly tool: Int32Array;
  /** Index into `tables.files`. */
  readonly file: Int32Array;
  readonly line: Int32Array;
  /** Time of the item's message, in milliseconds since 1970. */
  readonly at: Float64Array;
  readonly requests: RequestColumns;
  readonly boundaries: BoundaryColumns;
  /** Requests outside of the context: of subagents in the file, of abandoned branches, further passes, summary calls. */
  readonly extra: ExtraColumns;
  readonly tables: {
    readonly tools: readonly string[];
    readonly files: readonly string[];
    readonly models: readonly string[];
    readonly terms: readonly RequestTermsRow[];
    /** Name of every overhead row: a tool, a memory file, a skill. The inferred row's name is empty. */
    readonly overhead: readonly string[];
  };
}

/** Recorded context of a request: all tokens that it sent. −1 if there is no usage above zero. */
export function recordedContext(columns: Pick<SessionColumns, "requests">, request: number): Tokens {
  const { input, cacheRead, cacheWrite } = columns.requests;
  const sum =
    Math.max(0, input[request] ?? 0) + Math.max(0, cacheRead[request] ?? 0) + Math.max(0, cacheWrite[request] ?? 0);
  return sum > 0 ? sum : -1;
}

/** True if an item is a call without a result in the file. A call without an id may belong to any result. */
export function isUnanswered({ kind, flags }: Pick<SessionColumns, "kind" | "flags">, item: ItemIndex): boolean {
  return kind[item] === KIND.tool_call && ((flags[item] ?? 0) & FLAG.UNANSWERED) !== 0;
}

/** True if an item is a result without a call before it in the file, or an image of one. A result without an id may belong to any call. */
export function isOrphan({ origin, flags }: Pick<SessionColumns, "origin" | "flags">, item: ItemIndex): boolean {
  return origin[item] !== ORIGIN.response && ((flags[item] ?? 0) & FLAG.ORPHAN) !== 0;
}
