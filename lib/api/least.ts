import type { Cost, SessionSummary, SessionSums } from "./types";

/** Whether what a session cost is the least that it can be. Requests with figures that cannot be, which count as not recorded, may have cost more. */
export function isLeast({ costUsd, impossibleFigures }: Pick<Cost, "costUsd" | "impossibleFigures">): boolean {
  return costUsd.lowerBound === true || impossibleFigures > 0;
}

/** The same of a session as a list knows it. */
export function isLeastSession({ costUsd, problems }: Pick<SessionSummary, "costUsd" | "problems">): boolean {
  return costUsd?.lowerBound === true || problems.some(({ code }) => code === "impossible-figure");
}

/** Whether what sessions cost together is the least that it can be: one of them has no price, or costs at least what is summed of it. */
export function isLeastSum({ unpriced, lowerBounds }: Pick<SessionSums, "unpriced" | "lowerBounds">): boolean {
  return unpriced + lowerBounds > 0;
}
