/**
 * Measures that the policy reads if the columns have them; `geminiMeasures` on the server computes them. All follow Gemini CLI's own rule, whatever
 * estimator the columns use. `json`: UTF-16 units of the content's JSON. For a tool's result: `tokens` of its part and `text` of its text alone;
 * `cut`, `cutText` and `cutJson` are the same once its output is cut; `masked`, `maskedText` and `maskedJson` once it is masked, with `masked` 0 if
 * it never is; `cutMasked` is its part once it is first cut and then masked.
 */
export const GEMINI_MEASURES = [
  "gemini-cli.json",
  "gemini-cli.tokens",
  "gemini-cli.text",
  "gemini-cli.cut",
  "gemini-cli.cutText",
  "gemini-cli.cutJson",
  "gemini-cli.masked",
  "gemini-cli.maskedText",
  "gemini-cli.maskedJson",
  "gemini-cli.cutMasked",
] as const;
export type GeminiMeasure = (typeof GEMINI_MEASURES)[number];
