import { serverHalfOf } from "@/lib/agents/server-halves";
import { type ContextProfile, profileStanding } from "@/lib/core/context/profile";
import type { StandingOverhead } from "@/lib/core/context/standing";
import { estimatorOf } from "./estimators";

/** A profile's overhead as an agent measures it under an estimator. Rejects with `UnknownEstimatorError`. */
export async function standingOfProfile(
  profile: ContextProfile,
  agent: string | null,
  estimator: string,
): Promise<StandingOverhead> {
  const { text } = await estimatorOf(estimator);
  const rule = (await serverHalfOf(agent)?.overhead?.()) ?? profileStanding;
  return rule(profile, text);
}
