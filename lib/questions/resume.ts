import { profileOf } from "@/lib/agents/profiles";
import type { SessionSummary } from "@/lib/api/types";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { type Resume, resumeOf } from "@/lib/core/context/resume";

/** What a resume of the session would load; `null` where its agent resumes none. @param tokens one a row */
export function sessionResume(
  { agent, agentVersion }: Pick<SessionSummary, "agent" | "agentVersion">,
  columns: SessionColumns,
  tokens: Int32Array,
): Resume | null {
  const rule = profileOf(agent)?.resume;
  return rule === undefined ? null : resumeOf({ columns, tokens }, rule, agentVersion);
}
