/** Measures that the policy reads if the columns have them; `clawdcodeMeasures` on the server computes them. */
export const CLAWDCODE_MEASURES = ["clawdcode.withoutCallId", "clawdcode.paths"] as const;
export type ClawdcodeMeasure = (typeof CLAWDCODE_MEASURES)[number];
