/** Units and index spaces. They are aliases with a phantom mark, so that a count of tokens does not pass for a count of bytes. */
declare const unit: unique symbol;
type Unit<Name extends string> = number & { readonly [unit]?: Name };

/** Tokens, an integer. */
export type Tokens = Unit<"tokens">;
/**
 * The most tokens that a request may have sent: hundreds of times the largest context window. It is less than half of what a 32-bit column holds, so
 * that the sum of a recorded context and an estimate of its session still fits one.
 */
export const MOST_TOKENS: Tokens = 1_000_000_000;
/** The largest context that a column of contexts holds. */
export const MOST_CONTEXT: Tokens = 2 ** 31 - 1;
/** UTF-8 bytes, an integer. */
export type Bytes = Unit<"bytes">;
/** UTF-16 code units, an integer: what `string.length` counts. */
export type Chars = Unit<"chars">;
/** Milliseconds since 1970-01-01T00:00Z, or a duration; NaN in a column where there is none. */
export type Milliseconds = Unit<"ms">;
/** Index of a row of the columns. Rows that a replay adds continue after the last recorded one. */
export type ItemIndex = Unit<"item">;
/** Index of a request point, from 0. */
export type RequestIndex = Unit<"request">;
/** Line of the file, from 1. */
export type LineNumber = Unit<"line">;
/** A share of a whole, 0 to 1. */
export type Share = Unit<"share">;
