import type { ResumeRule } from "@/lib/core/context/resume";

/**
 * A resume loads user, assistant and system rows after the last boundary. What the compaction kept comes before the boundary and is gone, and so
 * are calls and results, which are rows of other types. Source: README.md, "Where sessions lie"; `resumedEntries` is the exact form.
 */
export const loadsTextsBehindBoundary: ResumeRule =
  ({ boundary, kind }) =>
  (row) =>
    row >= boundary && kind(row) === "text";
