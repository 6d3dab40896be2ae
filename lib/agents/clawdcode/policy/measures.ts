/** What the policy reads beyond tokens, where it is there; `clawdcodeMeasures` of the server half computes it. */
export const CLAWDCODE_MEASURES = ["clawdcode.withoutCallId"] as const;
export type ClawdcodeMeasure = (typeof CLAWDCODE_MEASURES)[number];
