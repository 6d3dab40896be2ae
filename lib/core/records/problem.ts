import type { Bytes, LineNumber } from "../base/units";

/** Reason why a line, or a part of it, is not a record. The wording is part of the `inspect` contract. */
export type DamageReason = "not JSON" | "not an object" | "cut off" | "too long" | "too deep";

/** A line that is not a record, or that breaks off within a record. Complete records before the break still count. */
export interface Damage {
  readonly line: LineNumber;
  /** Length of the line without its end. */
  readonly bytes: Bytes;
  readonly reason: DamageReason;
}

/** Kinds of oddities in a file that could still be read. */
export type ProblemCode =
  | "damaged-line"
  | "unknown-record"
  | "unexpected-field"
  | "orphan-result"
  | "unanswered-call"
  | "missing-parent"
  | "parent-cycle"
  | "several-sessions"
  | "left-behind-branch"
  | "duplicate-record"
  | "pseudo-usage"
  | "masked-text"
  | "impossible-figure"
  | "unknown-usage-field"
  | "incomplete-passes"
  | "file-changed"
  | "unpacking-stopped"
  | "unfinished-line";

/** An oddity in the file. Reading continued; the page lists problems. Never holds transcript text. */
export interface Problem {
  readonly code: ProblemCode;
  /** First line with the problem; absent if it concerns the whole file. */
  readonly line?: LineNumber;
  /** Name or number that identifies the cause: a record type, a field, a call id. */
  readonly detail?: string;
  /** Number of occurrences; the same code and detail are one problem. */
  readonly count: number;
}
