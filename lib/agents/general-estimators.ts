import type { EstimatorEntry } from "@/lib/agents/shared/server-profile";
import { bytesOverFour, charsOverFour, utf8Length } from "@/lib/core/base/characters";
import type { Encoding } from "@/lib/core/tokens/encodings";
import { type ItemEstimator, textEstimator } from "@/lib/core/tokens/item-estimator";

/** The estimators that belong to no agent, by id. */
export const GENERAL_ESTIMATORS: Readonly<Record<string, EstimatorEntry>> = {
  "bytes-4": { presets: [], load: () => ofTexts("bytes-4", (text) => bytesOverFour(utf8Length(text))) },
  "chars-4": { presets: [], load: () => ofTexts("chars-4", (text) => charsOverFour(text.length)) },
  o200k: exact("o200k", "o200k_base"),
  cl100k: exact("cl100k", "cl100k_base"),
};

function exact(id: string, encoding: Encoding): EstimatorEntry {
  return { presets: [], load: async ({ counters }) => ofTexts(id, (await counters())(encoding)) };
}

/** An estimator made from a rule that counts texts only. It receives a message as the API does, block by block. */
async function ofTexts(id: string, count: (text: string) => number): Promise<ItemEstimator> {
  const { apiMessageTokens } = await import("./claude-code/estimator");
  return { ...textEstimator(id, count), message: (message) => apiMessageTokens(message, count) };
}
