import { sumOf } from "@/lib/core/base/numbers";
import type { Bytes, Tokens } from "@/lib/core/base/units";
import { apportion } from "@/lib/core/tokens/item-estimator";
import { tokensOfBytes, truncatedBytes } from "../base/constants";

/** Rules by which a compaction keeps user messages. */
export interface Selection {
  /** Remote compaction keeps a message's texts separate, and its images; local compaction joins the texts into one. */
  readonly remote: boolean;
  /** True if messages have ids, which local compaction drops. */
  readonly withIds: boolean;
  readonly budget: Tokens;
  /** The bit of the measure `codex.retained` for this compaction. */
  readonly bit: number;
}

/** Tokens of the budget that a message takes. */
export function costOf(bytes: readonly Bytes[], { remote }: Selection): Tokens {
  return remote ? Math.max(1, sumOf(bytes.map(tokensOfBytes))) : tokensOfBytes(sumOf(bytes));
}

/** The bytes of the texts within a budget: joined and cut in the middle, or cut one by one until the budget is used up. */
export function truncatedTo(bytes: readonly Bytes[], budget: Tokens, selection: Selection): readonly Bytes[] {
  if (!selection.remote) return apportion(truncatedBytes(sumOf(bytes), budget), bytes);
  const limits = limitsOf(bytes, budget, selection);
  return bytes.map((size, index) => {
    const limit = limits[index] ?? 0;
    return limit === 0 ? 0 : truncatedBytes(size, limit);
  });
}

/** The limit of every text within a message's budget: joined texts share it, separate ones get the rest of it. */
export function limitsOf(bytes: readonly Bytes[], budget: Tokens, { remote }: Selection): readonly Tokens[] {
  let remaining = budget;
  return bytes.map((size) => {
    const limit = remaining;
    if (remote) remaining = Math.max(0, remaining - tokensOfBytes(size));
    return limit;
  });
}
