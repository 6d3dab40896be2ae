/** Thrown for an estimator id that this build does not have. It stands by itself, so that who only reports it loads no estimators. */
export class UnknownEstimatorError extends Error {
  override name = "UnknownEstimatorError";
}
