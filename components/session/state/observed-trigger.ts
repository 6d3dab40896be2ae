import type { Replay } from "@/lib/core/compaction/replay";

/**
 * The least context at which a recording shows an automatic compaction, in tokens. Only what is known to have been automatic says where an agent compacts: a person, or a
 * full window, may be behind all others.
 */
export function observedTrigger({ compactions }: Pick<Replay, "compactions">): number | undefined {
  const sizes = compactions
    .filter(({ trigger, tokensBefore }) => trigger === "threshold" && tokensBefore > 0)
    .map(({ tokensBefore }) => tokensBefore);
  return sizes.length === 0 ? undefined : Math.min(...sizes);
}
