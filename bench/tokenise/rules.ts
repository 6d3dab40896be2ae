import { ESTIMATOR_IDS, estimatorOf, requireEstimator } from "@/lib/server/read/numbers/estimators";

/** Estimators that count by a vocabulary, which are measured as tokenizers. */
const EXACT = new Set(["o200k", "cl100k", "clawdcode"]);

/** Estimators that are rules over sizes and characters, with every preset. */
export const RULE_IDS = ESTIMATOR_IDS.filter((id) => !EXACT.has(id)).flatMap((id) => {
  const { presets } = requireEstimator(id);
  return presets.length === 0 ? [id] : presets.map((preset) => `${id}@${preset}`);
});

/** Cuts a text into pieces as long as a tool's output, since no agent estimates a megabyte at once. */
export function pieces(text: string, units = 8000): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / units) }, (_, index) =>
    text.slice(index * units, (index + 1) * units),
  );
}

/** Gives a function that counts all texts by a rule. */
export async function rulePass(id: string): Promise<(texts: readonly string[]) => number> {
  const rule = await estimatorOf(id);
  return (texts) => texts.reduce((sum, text) => sum + rule.text(text), 0);
}
