/** Measures that the policy and the breakdown read if the columns have them; `opencodeMeasures` on the server computes them. */
export const OPENCODE_MEASURES = [
  "opencode.json",
  "opencode.cleared",
  "opencode.turn",
  "opencode.panel",
  "opencode.interrupted",
] as const;
export type OpencodeMeasure = (typeof OPENCODE_MEASURES)[number];
