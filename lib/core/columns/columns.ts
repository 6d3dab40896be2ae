import { codesOf } from "../base/codes";
import type { Tokens } from "../base/units";
import type { RequestTerms } from "../transcript/model";

/**
 * The columns: a session as numbers. Struct of arrays, one row an item, in the order of the file; the first
 * `overheadRows` rows are the fixed overhead (what the file records of it, then one inferred row). This comment is the
 * format's specification; `codec.ts` writes it as bytes.
 *
 * A column value of −1 is "none" in the index columns, NaN in the time columns, −1 in the usage columns.
 */
export const COLUMNS_VERSION = 3;

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
  /** First item of a message: between messages a policy may cut. */
  MESSAGE_START: 2,
  /** In the recorded context only, not part of the trajectory that a replay re-runs. */
  RECORDED_ONLY: 4,
  /** Re-created by the agent after every compaction. */
  INITIAL_CONTEXT: 8,
  /** A result that reports an error. */
  ERROR: 16,
  /** Left out when the agent resumes the session from its file. */
  NOT_RESUMED: 32,
  /** Its size is an estimate: the file holds neither the text nor its length. */
  ESTIMATED: 64,
  /** First item of a response whose recorded output is the count with which its stream began. */
  PARTIAL_OUTPUT: 128,
} as const;

/** Ragged lists, in item or boundary order: those of row i are `value[offset[i] .. offset[i + 1])`. */
export interface RaggedColumn {
  readonly offset: Int32Array;
  readonly value: Int32Array;
}

/** One row a request point. */
export interface RequestColumns {
  readonly length: number;
  /** First item of the response: what was sent lies before it. */
  readonly firstItem: Int32Array;
  /** Recorded usage; −1 where not recorded. */
  readonly input: Int32Array;
  readonly cacheRead: Int32Array;
  readonly cacheWrite: Int32Array;
  /** The part of `cacheWrite` that was written for an hour. */
  readonly cacheWrite1h: Int32Array;
  readonly output: Int32Array;
  /** The part of `output` that was reasoning. */
  readonly reasoning: Int32Array;
  /** Searches on the web that the provider made. */
  readonly webSearches: Int32Array;
  /** What the file itself says that it cost, in US dollars; NaN where it does not. */
  readonly ownCost: Float64Array;
  readonly at: Float64Array;
  /** By which it is priced: the time of the record with the usage. */
  readonly billedAt: Float64Array;
  /** Index into `tables.terms`. */
  readonly terms: Int32Array;
  /** Index into `tables.models`. */
  readonly model: Int32Array;
  readonly line: Int32Array;
}

/** One row a recorded boundary. */
export interface BoundaryColumns {
  readonly length: number;
  /** First item after the change; the items before it left the context, save `kept`. */
  readonly item: Int32Array;
  /** Request point before which it happened. */
  readonly request: Int32Array;
  readonly line: Int32Array;
  /** Index into `BOUNDARY_KINDS`. */
  readonly kind: Uint8Array;
  /** Index into `TRIGGERS`: as the record says, else as those around it tell. */
  readonly trigger: Uint8Array;
  /** The record's own figures; −1 where not recorded. */
  readonly tokensBefore: Int32Array;
  readonly tokensAfter: Int32Array;
  readonly kept: RaggedColumn;
  readonly cleared: RaggedColumn;
}

export const BOUNDARY_KINDS = ["compaction", "clearing", "rollback"] as const;
export const BOUNDARY = codesOf(BOUNDARY_KINDS);

/** Rows of the recorded boundaries of a kind. */
export function boundariesOf(columns: SessionColumns, kind: (typeof BOUNDARY_KINDS)[number]): readonly number[] {
  const code = BOUNDARY_KINDS.indexOf(kind);
  return Array.from(columns.boundaries.kind, (_, row) => row).filter((row) => columns.boundaries.kind[row] === code);
}

export const TRIGGERS = ["auto", "manual", "overflow", "unknown"] as const;
export const TRIGGER = codesOf(TRIGGERS);

/** Terms of requests: those of the transcript model, with the process as a number in the order of first sight. */
export type RequestTermsRow = Omit<RequestTerms, "process"> & { readonly process?: number };

export interface SessionColumns {
  readonly version: typeof COLUMNS_VERSION;
  /** Rows. */
  readonly length: number;
  /** Rows at the front that are fixed overhead. */
  readonly overheadRows: number;
  /** Each item's share under each estimator that was asked for. Sums to that estimator's total. */
  readonly tokens: Readonly<Record<string, Int32Array>>;
  /** What a policy asks for beyond tokens, by name. */
  readonly measures: Readonly<Record<string, Int32Array>>;
  readonly lists: Readonly<Record<string, RaggedColumn>>;
  readonly bytes: Int32Array;
  readonly chars: Int32Array;
  /** Index into `ITEM_CATEGORIES`. */
  readonly category: Uint8Array;
  /** Index into `KINDS`. */
  readonly kind: Uint8Array;
  /** Index into `ROLES`. */
  readonly role: Uint8Array;
  /** Index into `ORIGINS`. */
  readonly origin: Uint8Array;
  readonly flags: Uint8Array;
  /** Message, counted from 0; −1 on overhead rows. */
  readonly message: Int32Array;
  /** Turn, counted from 0; items before the first typed message are turn −1. */
  readonly turn: Int32Array;
  /** The call's first result, and the result's call. */
  readonly pair: Int32Array;
  /** Index into `tables.tools`: of calls and results, and of the overhead rows that declare a tool. */
  readonly tool: Int32Array;
  /** Index into `tables.files`. */
  readonly file: Int32Array;
  readonly line: Int32Array;
  readonly at: Float64Array;
  readonly requests: RequestColumns;
  readonly boundaries: BoundaryColumns;
  /** Requests of the subagents whose records are in the file; their items are not. */
  readonly sidechains: RequestColumns;
  readonly tables: {
    readonly tools: readonly string[];
    readonly files: readonly string[];
    readonly models: readonly string[];
    readonly terms: readonly RequestTermsRow[];
    /** Name of every overhead row, the inferred one's is empty: a tool, a memory file, a skill. */
    readonly overhead: readonly string[];
  };
}

/** Context size of a request as recorded: everything sent. −1 where there is no usage above zero. */
export function recordedContext(columns: Pick<SessionColumns, "requests">, request: number): Tokens {
  const { input, cacheRead, cacheWrite } = columns.requests;
  const sum =
    Math.max(0, input[request] ?? 0) + Math.max(0, cacheRead[request] ?? 0) + Math.max(0, cacheWrite[request] ?? 0);
  return sum > 0 ? sum : -1;
}
