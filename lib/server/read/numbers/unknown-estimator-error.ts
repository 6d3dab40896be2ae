/** Thrown for an estimator id that this build does not have. In a separate file, so that callers that only report it load no estimators. */
export class UnknownEstimatorError extends Error {
  override name = "UnknownEstimatorError";
}
