import { bytesOverFour, charsOverFour } from "@/lib/core/tokens/characters";
import { type ItemEstimator, textEstimator } from "@/lib/core/tokens/item-estimator";

/** Thrown for an estimator id that this build does not have. */
export class UnknownEstimatorError extends Error {
  override name = "UnknownEstimatorError";
}

/**
 * Every estimator by id. Loaded when first asked for: the exact tokenizers read tables of several megabytes.
 * Adding one is one line.
 */
const LOADERS = {
  "bytes-4": async () => textEstimator("bytes-4", (text) => bytesOverFour(Buffer.byteLength(text))),
  "chars-4": async () => textEstimator("chars-4", (text) => charsOverFour(text.length)),
  o200k: () => tokenCounter("o200k"),
  cl100k: () => tokenCounter("cl100k"),
  codex: async () => (await import("@/lib/agents/codex/estimator")).codexEstimator,
  "claude-code": async () => (await import("@/lib/agents/claude-code/estimator")).claudeCodeEstimator,
} as const satisfies Record<string, () => Promise<ItemEstimator>>;

export type EstimatorId = keyof typeof LOADERS;

/** Ids of every estimator, in the order of interfaces.md. */
export const ESTIMATOR_IDS: readonly string[] = Object.keys(LOADERS);

const loaded = new Map<string, Promise<ItemEstimator>>();

/** Whether the id names an estimator of this build. */
export function isEstimatorId(id: string): id is EstimatorId {
  return Object.hasOwn(LOADERS, id);
}

/** Throws `UnknownEstimatorError` where this build has no such estimator. */
export function requireEstimator(id: string): asserts id is EstimatorId {
  if (!isEstimatorId(id)) {
    throw new UnknownEstimatorError(`unknown estimator ${id}; known: ${ESTIMATOR_IDS.join(", ")}`);
  }
}

/** The estimator with this id. Rejects with `UnknownEstimatorError`. */
export async function estimatorOf(id: string): Promise<ItemEstimator> {
  requireEstimator(id);
  const known = loaded.get(id) ?? LOADERS[id]();
  loaded.set(id, known);
  return known;
}

async function tokenCounter(encoding: "o200k" | "cl100k"): Promise<ItemEstimator> {
  const { createTokenCounter } = await import("@/lib/server/tokens/counter");
  const counter = createTokenCounter(encoding);
  return textEstimator(encoding, (text) => counter.count(text));
}
