import type { SimulatedCompaction } from "@/lib/core/compaction/simulation/simulated-compaction";

/** How much a boundary left free, up to where the next compaction fires. */
export interface RoomLeft {
  readonly trigger: number;
  /** Tokens. */
  readonly free: number;
  /** How many requests fill it at the session's rate, 1 or more; absent without a rate. */
  readonly requests: number | undefined;
}

/**
 * The room after a boundary. Absent without a trigger, where the context is still at or above it, and where the boundary's effect
 * held for one request only.
 * @param trigger size at which the next compaction fires
 * @param rate growth of the context from one request to the next (`growthPerRequest`)
 */
export function roomLeft(
  { tokensAfter, transient }: Pick<SimulatedCompaction, "tokensAfter" | "transient">,
  trigger: number | undefined,
  rate: number | undefined,
): RoomLeft | undefined {
  if (trigger === undefined || transient === true) return undefined;
  const free = trigger - tokensAfter;
  if (free <= 0) return undefined;
  return { trigger, free, requests: rate === undefined ? undefined : Math.max(1, Math.round(free / rate)) };
}
