/** Parts that `install` writes into Claude Code's settings. */
export const PARTS = ["statusline", "mcp"] as const;
export type Part = (typeof PARTS)[number];
