import { profileOf } from "@/lib/agents/policies";
import { estimatorOfPreset } from "@/lib/agents/shared/profile";
import { presetOfName } from "@/lib/core/compaction/preset-names";
import type { WrittenBy } from "@/lib/core/context/recording";
import { firstPreset, type PolicyChoice, presetOfVersion } from "../session/session-context";

/**
 * The token rule of the recording's own agent, in the preset of its version, or in the replayed preset if a replay uses that agent's own policy. A
 * recording without an agent is counted by the simplest rule.
 */
export function ownEstimator(session: WrittenBy, run?: Pick<PolicyChoice, "policy" | "preset">): string {
  const profile = profileOf(session.agent);
  if (profile === undefined) return "bytes-4";
  const { policy } = profile;
  if (policy === undefined) return profile.estimator;
  const preset = run?.policy === policy.id ? (run.preset ?? firstPreset(policy)) : undefined;
  const replayed = preset === undefined ? undefined : presetOfName(policy, preset);
  return estimatorOfPreset(profile, replayed ?? presetOfVersion(policy, session));
}
