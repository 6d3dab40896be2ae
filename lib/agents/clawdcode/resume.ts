import type { ResumeRule } from "@/lib/core/context/resume";

/**
 * The program loads user, assistant and system rows behind the last boundary: what the compaction kept stands before it and
 * is gone, and so are calls and results, which are rows of their own. Source: README.md, "Where sessions lie"; `resumedEntries` is the exact form.
 */
export const loadsTextsBehindBoundary: ResumeRule =
  ({ boundary, kind }) =>
  (row) =>
    row >= boundary && kind(row) === "text";
