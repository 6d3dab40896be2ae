/** Measures that the policy reads if the columns have them; `codexMeasures` on the server computes them. */
export const CODEX_MEASURES = [
  "codex.jsonBytes",
  "codex.retained",
  "codex.hidden",
  "codex.imageBytes",
  "codex.unpaired",
  "codex.unpaired-release-2026-01",
  "codex.unpaired-current",
] as const;
export type CodexMeasure = (typeof CODEX_MEASURES)[number];
/** Bits of `codex.retained`. */
export const RETAINED_LOCALLY = 1;
export const RETAINED_REMOTELY = 2;
export const RETAINED_LOCALLY_CURRENT = 4;

/** The measure of pairing's effect on an item without its counterpart, by preset. */
export const UNPAIRED = {
  "as-documented": "codex.unpaired",
  "release-2026-01": "codex.unpaired-release-2026-01",
  current: "codex.unpaired-current",
} as const satisfies Readonly<Record<string, CodexMeasure>>;
/** Value for a removed output; other values are the tokens of the output generated after a call. */
export const REMOVED = -1;
