import { MAX_TOKENS, type Milliseconds, type Tokens } from "../base/units";
import { isObject } from "../records/fields";
import type { ProblemCode } from "../records/problem";
import type { Boundary, RequestPoint, Usage } from "./model";

/**
 * Decides which recorded numbers are possible, for every reader. A file may hold anything in place of a number, and the values are added up in 32-bit
 * columns.
 */

/** Recorded times lie in the years 1970 to 2100. */
const FIRST_TIME: Milliseconds = 0;
/** Upper limit for the cost of one request. */
const MAX_DOLLARS = 1e9;
const BEHIND_LAST_TIME: Milliseconds = Date.UTC(2101, 0, 1);

/** True if a value is a possible token count: an integer from 0 to `MAX_TOKENS`. */
export function isTokens(value: unknown): value is Tokens {
  return isCount(value, MAX_TOKENS);
}

/** True if a number is a possible time of a record. */
export function isTime(at: Milliseconds): boolean {
  return at >= FIRST_TIME && at < BEHIND_LAST_TIME;
}

function isCount(value: unknown, most: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most;
}

/**
 * Fields of a usage object that a reader uses, or ignores for a reason stated next to them: paths with dots
 * (`cache_creation.ephemeral_5m_input_tokens`), without list indices. A path of an object or a list covers everything within.
 */
export type KnownUsageFields = ReadonlySet<string>;

/** Problems of recorded numbers. */
type NumberProblem = Extract<ProblemCode, "impossible-figure" | "unknown-usage-field">;

/** Levels of a usage object that are searched for numbers; no provider nests deeper than three. */
const USAGE_DEPTH = 8;

/** Reads the numbers of one record. A missing or `null` value is absent. An impossible value is reported and also counts as absent. */
export class RecordNumbers {
  readonly #problem: (code: NumberProblem, field: string) => void;

  /** @param problem called with the name of a field whose number is impossible or whose name is unknown */
  constructor(problem: (code: NumberProblem, field: string) => void) {
    this.#problem = problem;
  }

  #report(field: string): void {
    this.#problem("impossible-figure", field);
  }

  /**
   * Reports every number in an unknown field of a usage object by its path, since it may hold tokens that no total counts. Zeros are ignored. Every
   * reader calls this for every usage object that it reads.
   */
  unknownUsage(usage: unknown, known: KnownUsageFields): void {
    if (isObject(usage)) this.#unknownFields(usage, known, "", USAGE_DEPTH);
  }

  #unknownFields(
    usage: Readonly<Record<string, unknown>>,
    known: KnownUsageFields,
    within: string,
    depth: number,
  ): void {
    for (const key of Object.keys(usage)) {
      const path = within + key;
      if (!known.has(path)) this.#unknownValue(usage[key], known, path, depth);
    }
  }

  #unknownValue(value: unknown, known: KnownUsageFields, path: string, depth: number): void {
    if (typeof value === "number") {
      if (value !== 0) this.#problem("unknown-usage-field", path);
    } else if (depth > 0 && Array.isArray(value)) {
      for (const entry of value) this.#unknownValue(entry, known, path, depth - 1);
    } else if (depth > 0 && isObject(value)) this.#unknownFields(value, known, `${path}.`, depth - 1);
  }

  /** Tokens of one request, or of a part of it. */
  tokens(value: unknown, field: string): Tokens | undefined {
    return this.#count(value, field, MAX_TOKENS);
  }

  /** Sum over a session, or a duration in milliseconds: any integer from 0 on that JavaScript holds exactly. */
  sum(value: unknown, field: string): number | undefined {
    return this.#count(value, field, Number.MAX_SAFE_INTEGER);
  }

  /** Dollars of one request. */
  dollars(value: unknown, field: string): number | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === "number" && value >= 0 && value <= MAX_DOLLARS) return value;
    this.#report(field);
    return undefined;
  }

  /** Time. NaN stands for a text that is not a time, and counts as absent. */
  time(at: Milliseconds | undefined, field: string): Milliseconds | undefined {
    if (at === undefined || Number.isNaN(at)) return undefined;
    if (isTime(at)) return at;
    this.#report(field);
    return undefined;
  }

  /** Removes the impossible numbers of a request point. Impossible times were already reported when they were read. */
  point(point: RequestPoint): RequestPoint {
    if (isPossible(point)) return point;
    const { usage, at, billedAt, ...rest } = point;
    const possible = usage === undefined ? undefined : this.#usage(usage);
    return {
      ...rest,
      ...present("at", possibleTime(at)),
      ...present("billedAt", possibleTime(billedAt)),
      ...present("usage", possible),
    };
  }

  /**
   * Usage of a request. A reader may have computed its parts from several numbers. `undefined` if one of the sent parts, or their sum, is impossible.
   */
  #usage(usage: Usage): Usage | undefined {
    const { output, reasoning, ...sent } = usage;
    if (!isSent(sent)) {
      this.#report("usage");
      return undefined;
    }
    return {
      ...sent,
      ...present("output", this.tokens(output, "output")),
      ...present("reasoning", this.tokens(reasoning, "reasoning")),
    };
  }

  /** Removes the impossible numbers of a boundary. Impossible times were already reported when they were read. */
  boundary({ at, took, tokensBefore, tokensAfter, ...rest }: Boundary): Boundary {
    return {
      ...rest,
      ...present("at", possibleTime(at)),
      ...present("took", this.sum(took, "duration")),
      ...present("tokensBefore", this.tokens(tokensBefore, "tokensBefore")),
      ...present("tokensAfter", this.tokens(tokensAfter, "tokensAfter")),
    };
  }

  #count(value: unknown, field: string, most: number): number | undefined {
    if (value === undefined || value === null) return undefined;
    if (isCount(value, most)) return value;
    this.#report(field);
    return undefined;
  }
}

/** True if all numbers of a point are possible, as nearly all are. */
function isPossible({ usage, at, billedAt }: RequestPoint): boolean {
  if (billedAt !== undefined && !isTime(billedAt)) return false;
  if (at !== undefined && !isTime(at)) return false;
  return usage === undefined || (isSent(usage) && isTokens(usage.output ?? 0) && isTokens(usage.reasoning ?? 0));
}

/** True if the sent parts and their sum are possible. */
function isSent({ input, cacheRead = 0, cacheWrite = 0 }: Usage): boolean {
  return isTokens(input) && isTokens(cacheRead) && isTokens(cacheWrite) && input + cacheRead + cacheWrite <= MAX_TOKENS;
}

/** Returns the time if it is possible, else `undefined`. */
export function possibleTime(at: Milliseconds | undefined): Milliseconds | undefined {
  return at !== undefined && isTime(at) ? at : undefined;
}

/** Object with the value under the key; empty if the value is absent. */
function present<Key extends string, Value>(key: Key, value: Value | undefined): { [One in Key]?: Value } {
  return value === undefined ? {} : ({ [key]: value } as { [One in Key]: Value }); // The key is the parameter.
}

/** Reads numbers without reporting impossible ones, for records whose problems are reported elsewhere. */
export const UNREPORTED_NUMBERS = new RecordNumbers(() => undefined);
