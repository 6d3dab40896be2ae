/**
 * What the policy reads beyond tokens, where it is there; `geminiMeasures` of the server half computes it. All by Gemini
 * CLI's own rule, whatever counts the columns: `json` UTF-16 units of the content's JSON; of a tool's result: `tokens` of its
 * part, `text` of its text alone, `cut`, `cutText` and `cutJson` the same once its output is cut, `masked` its part once
 * masked, 0 where it never is, `maskedText` and `maskedJson` the same, `cutMasked` its part once it is cut and then masked.
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
