import type { Bytes, LineNumber } from "../base/units";

/** Why a line, or a part of it, is not a record. The wording is part of the `inspect` contract. */
export type DamageReason = "not JSON" | "not an object" | "cut off" | "too long" | "too deep";

/** A line that is not a record, or breaks off within one. Complete records before the break still count. */
export interface Damage {
  readonly line: LineNumber;
  /** Length of the line without its end. */
  readonly bytes: Bytes;
  readonly reason: DamageReason;
}

/** What can be odd about a file that was read all the same. */
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

/** Something odd in the file. Reading continued; the page lists these. Never holds transcript text. */
export interface Problem {
  readonly code: ProblemCode;
  /** The first line where it was seen; absent where it concerns the whole file. */
  readonly line?: LineNumber;
  /** A name or a number that says which one: a record type, a field, a call id. */
  readonly detail?: string;
  /** How often it was seen; the same code and detail are one problem. */
  readonly count: number;
}
