import { profileOf } from "@/lib/agents/policies";
import type { Recording } from "@/lib/core/context/recording";
import { type Resume, resumeOf } from "@/lib/core/context/resume";

/** Content that a resume of the session would load; `null` if its agent cannot resume one. */
export function sessionResume(recording: Recording): Resume | null {
  const { agent, agentVersion } = recording.facts;
  const rule = profileOf(agent)?.resume;
  return rule === undefined ? null : resumeOf(recording, rule, agentVersion);
}
