/**
 * The summary of a compaction with the words that the model reads around it. Source: pi 1.5.2, core/messages (the same in 0.51.0); openclaw@2026.9.6,
 * agent-core session.
 */
export function compactionSummaryText(summary: string): string {
  return `The conversation history before this point was compacted into the following summary:\n\n<summary>\n${summary}\n</summary>`;
}

/** The summary of a branch with the words that the model reads around it. Source: as above. */
export function branchSummaryText(summary: string): string {
  return `The following is a summary of a branch that this conversation came back from:\n\n<summary>\n${summary}</summary>`;
}
