import type { Bytes, Tokens } from "@/lib/core/base/units";
import { apportion } from "@/lib/core/tokens/item-estimator";
import { tokensOfBytes, truncatedBytes } from "../constants";

/** Which user messages a compaction keeps. */
export interface Selection {
  /** Remote compaction keeps a message's texts apart, and its images; local compaction joins the texts to one. */
  readonly remote: boolean;
  /** Messages have an id, which local compaction leaves off. */
  readonly withIds: boolean;
  readonly budget: Tokens;
  /** Bit of the measure `codex.retained`. */
  readonly bit: number;
}

/** Tokens that a message takes of the budget. */
export function costOf(bytes: readonly Bytes[], { remote }: Selection): Tokens {
  return remote ? Math.max(1, sum(bytes.map(tokensOfBytes))) : tokensOfBytes(sum(bytes));
}

/** The texts' bytes within a budget: joined and cut in the middle, or cut one by one until it is used up. */
export function truncatedTo(bytes: readonly Bytes[], budget: Tokens, { remote }: Selection): readonly Bytes[] {
  if (!remote) return apportion(truncatedBytes(sum(bytes), budget), bytes);
  let remaining = budget;
  return bytes.map((size) => {
    if (remaining === 0) return 0;
    const after = truncatedBytes(size, remaining);
    remaining = Math.max(0, remaining - tokensOfBytes(size));
    return after;
  });
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
