import type { VaryRange } from "@/lib/core/metrics/grid";
import type { TablePoints } from "./table-rows";

/** Points as the map, the charts and the table show them: of one recording, or of several together. */
export interface ShownPoints extends TablePoints {
  /** The ranges that the points are on. */
  readonly vary: readonly VaryRange[];
}

/** Whether the front is a choice: where all points are on it, none is worth a mark. */
export function hasChoice({ front }: Pick<ShownPoints, "front">): boolean {
  return front.includes(false);
}
