/** What the model reads around summaries. Source: openclaw@2026.9.6, agent-core session (the same in pi 0.51). */

const SUMMARY_WRAPPER = [
  "The conversation history before this point was compacted into the following summary:\n\n<summary>\n",
  "\n</summary>",
] as const;

const BRANCH_WRAPPER = [
  "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n",
  "</summary>",
] as const;

/** A compaction's summary as the model reads it. */
export function summaryText(summary: string): string {
  return `${SUMMARY_WRAPPER[0]}${summary}${SUMMARY_WRAPPER[1]}`;
}

/** A branch's summary as the model reads it. */
export function branchText(summary: string): string {
  return `${BRANCH_WRAPPER[0]}${summary}${BRANCH_WRAPPER[1]}`;
}
