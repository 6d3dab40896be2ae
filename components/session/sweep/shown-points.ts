import type { VaryRange } from "@/lib/core/metrics/grid";
import type { TablePoints } from "./table-rows";

/** Points as the map, the charts and the table show them: those of one recording, or sums over several. */
export interface ShownPoints extends TablePoints {
  /** The ranges that the points were swept over. */
  readonly vary: readonly VaryRange[];
}

/** Whether the front leaves a choice: where all points are on it, marking it says nothing. */
export function hasChoice({ front }: Pick<ShownPoints, "front">): boolean {
  return front.includes(false);
}
