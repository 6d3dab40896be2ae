/** What the policy and the breakdown read beyond tokens, where it is there; `opencodeMeasures` of the server half computes it. */
export const OPENCODE_MEASURES = ["opencode.json", "opencode.cleared", "opencode.turn", "opencode.panel"] as const;
export type OpencodeMeasure = (typeof OPENCODE_MEASURES)[number];
