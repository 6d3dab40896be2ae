import type { Cost } from "@/lib/api/types";

/** Whether what a session cost is the least that it can be. Requests with figures that cannot be, which count as not recorded, may have cost more. */
export function isLeast({ costUsd, impossibleFigures }: Pick<Cost, "costUsd" | "impossibleFigures">): boolean {
  return costUsd.lowerBound === true || impossibleFigures > 0;
}
