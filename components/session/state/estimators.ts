import { isSizeEstimator } from "@/lib/core/tokens/estimator";

/** Estimators that can be chosen, by id of the command line: from sizes at once, the rest counted exactly by the server. */
export const ESTIMATORS = ["bytes-4", "chars-4", "o200k", "cl100k", "codex", "claude-code"] as const;
export type EstimatorId = (typeof ESTIMATORS)[number];

export const DEFAULT_ESTIMATOR = "bytes-4" satisfies EstimatorId;

/** The estimator asked for, the default where none or an unknown one is. */
export function estimatorOf(asked: string | null): EstimatorId {
  return ESTIMATORS.find((id) => id === asked) ?? DEFAULT_ESTIMATOR;
}

/** Whether its tokens have to be fetched once: the sizes in the columns are not enough. */
export function needsServer(id: EstimatorId): boolean {
  return !isSizeEstimator(id);
}
