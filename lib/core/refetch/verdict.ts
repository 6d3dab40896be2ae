import type { Share } from "../base/units";

/** Below this share the rule misses more than it meets. Source: docs/method.md, "Re-fetched content". */
const HALF: Share = 0.5;

/**
 * What the rule for simulated boundaries is worth over a recording: `badly` where less than half of what it foresees was bought again, or less than
 * half of what was bought again is foreseen; `unknown` where it foresees nothing, or nothing was bought again.
 */
export function predictorVerdict(score: {
  readonly precision: Share | null;
  readonly recall: Share | null;
}): "holds" | "badly" | "unknown" {
  const { precision, recall } = score;
  if (precision === null || recall === null) return "unknown";
  return precision < HALF || recall < HALF ? "badly" : "holds";
}
