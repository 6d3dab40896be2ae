/** Measures that the policy reads where the columns have them; `codexMeasures` on the server computes them. */
export const CODEX_MEASURES = ["codex.jsonBytes", "codex.retained", "codex.hidden", "codex.imageBytes"] as const;
export type CodexMeasure = (typeof CODEX_MEASURES)[number];
/** Bits of `codex.retained`. */
export const RETAINED_LOCALLY = 1;
export const RETAINED_REMOTELY = 2;
export const RETAINED_LOCALLY_CURRENT = 4;
