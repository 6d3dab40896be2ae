import type { Share } from "../base/units";

/** Share below which the rule is wrong more often than right. Source: docs/method.md, "Re-fetched content". */
const HALF: Share = 0.5;

/**
 * Verdict on the rule for simulated boundaries over a recording. `badly`: less than half of its predictions was re-fetched, or less than half of the
 * re-fetched results is predicted. `unknown`: it predicts nothing, or nothing was re-fetched.
 */
export function predictorVerdict(score: {
  readonly precision: Share | null;
  readonly recall: Share | null;
}): "holds" | "badly" | "unknown" {
  const { precision, recall } = score;
  if (precision === null || recall === null) return "unknown";
  return precision < HALF || recall < HALF ? "badly" : "holds";
}
