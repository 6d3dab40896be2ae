/** Units and index spaces. They are type aliases with a phantom mark, so that a token count cannot be passed as a byte count. */
declare const unit: unique symbol;
type Unit<Name extends string> = number & { readonly [unit]?: Name };

/** Tokens, an integer. */
export type Tokens = Unit<"tokens">;
/**
 * Upper limit for the tokens of one request, hundreds of times the largest context window. It is less than half of the 32-bit range, so that a
 * recorded context plus an estimate of its session still fits a 32-bit column.
 */
export const MAX_TOKENS: Tokens = 1_000_000_000;
/** Largest context that a column of contexts can hold. */
export const MAX_CONTEXT: Tokens = 2 ** 31 - 1;
/** UTF-8 bytes, an integer. */
export type Bytes = Unit<"bytes">;
/** UTF-16 code units, an integer, as in `string.length`. */
export type Chars = Unit<"chars">;
/** Milliseconds since 1970-01-01T00:00Z, or a duration. A column holds NaN for a missing time. */
export type Milliseconds = Unit<"ms">;
/** Index of a row of the columns. Rows that a replay adds follow the last recorded row. */
export type ItemIndex = Unit<"item">;
/** Index of a request point, from 0. */
export type RequestIndex = Unit<"request">;
/** Line number in the file, from 1. */
export type LineNumber = Unit<"line">;
/** A share of a whole, 0 to 1. */
export type Share = Unit<"share">;
