import type { SimulatedCompaction } from "@/lib/core/compaction/simulated-compaction";
import type { BoundaryKind } from "./kinds";

/** What is to be said against a boundary. */
const BOUNDARY_FLAGS = ["thrash", "notShrunk"] as const;
export type BoundaryFlag = (typeof BOUNDARY_FLAGS)[number];

/** Boundaries at which a compaction was tried: of the others it is no fault to come often, or to take little away. */
const TRIED: ReadonlySet<BoundaryKind> = new Set(["compaction", "failure"]);

/**
 * The flags of a boundary: `thrash` where a compaction came too soon after another or left too much, `notShrunk` where it made
 * the context no smaller. Of one that failed it is said already that nothing changed.
 */
export function boundaryFlags(
  what: BoundaryKind,
  { thrash, shrunk }: Pick<SimulatedCompaction, "thrash" | "shrunk">,
): readonly BoundaryFlag[] {
  if (!TRIED.has(what)) return [];
  const applies = { thrash, notShrunk: !shrunk && what === "compaction" };
  return BOUNDARY_FLAGS.filter((flag) => applies[flag]);
}
