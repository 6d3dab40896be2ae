import { type Spent, TRADE_OFFS } from "@/lib/core/figures/registry";
import type { TablePoint } from "./table-rows";

/** A point as the chart of sent against kept places it. */
export interface ParetoDot {
  /** Position among the sweep's points. */
  readonly index: number;
  readonly x: number;
  readonly y: number;
}

/** The points that have both figures. A point without either has no place in the chart, not even at its edge. */
export function paretoDots(
  points: readonly Pick<TablePoint, "figures">[],
  spent: Spent = "tokensSent",
): readonly ParetoDot[] {
  const [across, up] = TRADE_OFFS[spent];
  return points.flatMap(({ figures }, index) => {
    const [x, y] = [figures[across], figures[up]];
    return x === null || y === null ? [] : [{ index, x, y }];
  });
}
