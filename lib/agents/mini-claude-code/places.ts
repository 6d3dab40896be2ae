import type { AgentPlaces } from "../places";

/** The program writes no sessions: whoever embeds it keeps the history. Source: README.md, "Where sessions lie". */
export const miniClaudeCodePlaces: AgentPlaces = { roots: [], files: [] };
