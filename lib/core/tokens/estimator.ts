import { bytesOverFour, charsOverFour } from "../base/characters";
import type { Bytes, Chars, Tokens } from "../base/units";

/**
 * Tokens of one image unless a rule states otherwise.
 * Source: Anthropic, "Vision": width × height / 750, about 1,600 at the largest size that is not scaled down.
 */
export const IMAGE_TOKENS: Tokens = 1600;

/** Estimator that needs only the sizes of a text, so the columns alone are enough. */
interface SizeEstimator {
  readonly id: string;
  readonly tokens: (chars: Chars, bytes: Bytes) => Tokens;
}

export const SIZE_ESTIMATORS = {
  "bytes-4": { id: "bytes-4", tokens: (_chars, bytes) => bytesOverFour(bytes) },
  "chars-4": { id: "chars-4", tokens: (chars) => charsOverFour(chars) },
} as const satisfies Record<string, SizeEstimator>;

export type SizeEstimatorId = keyof typeof SIZE_ESTIMATORS;

/** True if the id names a size estimator. */
export function isSizeEstimator(id: string): id is SizeEstimatorId {
  return Object.hasOwn(SIZE_ESTIMATORS, id);
}
