import { AGENT_SUMMARIES } from "@/lib/agents/agents";
import { estimatorOfPreset } from "@/lib/agents/shared/profile";
import type { WrittenBy } from "@/lib/core/context/recording";
import { isSizeEstimator } from "@/lib/core/tokens/estimator";
import { ownEstimator } from "@/lib/queries/accuracy/own-estimator";
import type { PolicyChoice } from "@/lib/queries/session/session-context";

/** Estimators that belong to no agent: some need only sizes; the server counts with the exact tokenizers. */
const OURS = ["bytes-4", "chars-4", "o200k", "cl100k"] as const;

/**
 * Names of all estimators, as on the command line: those without an agent, then every agent's; a preset has its own name if it counts differently.
 */
const ESTIMATORS: ReadonlySet<string> = new Set([
  ...OURS,
  ...AGENT_SUMMARIES.flatMap((agent) => [
    agent.estimator,
    ...(agent.estimatorPresets ?? []).map((preset) => estimatorOfPreset(agent, preset)),
  ]),
]);

/** The estimator used while the selected one's tokens are loading: it needs only the columns. */
export const FIRST_ESTIMATOR = "bytes-4";

/** The selected estimator. If none or an unknown one is selected, the estimator of the recording's own agent in this run. */
export function estimatorOf(
  asked: string | null,
  session: WrittenBy,
  run: Pick<PolicyChoice, "policy" | "preset">,
): string {
  return asked !== null && ESTIMATORS.has(asked) ? asked : ownEstimator(session, run);
}

/**
 * The estimators offered for a recording: those without an agent, then one per agent. For the recording's own agent it follows the preset that wrote
 * the recording. The selected one (`inForce`) is always offered.
 */
export function offeredEstimators(session: WrittenBy, inForce: string): readonly string[] {
  const ofAgents = AGENT_SUMMARIES.map(({ id, estimator }) =>
    id === session.agent ? ownEstimator(session) : estimator,
  );
  return [...new Set([...OURS, ...ofAgents, inForce])];
}

/** True for an estimator without an agent: its name is a message. Every other one has its agent's label. */
export function isOurs(id: string): id is (typeof OURS)[number] {
  return OURS.some((ours) => ours === id);
}

/** The agent whose rule an estimator follows, and the variant after the agent's id: a second rule of the same agent, or a preset. */
export function ruleOf(estimator: string): { readonly agent: string; readonly variant: string } | undefined {
  const profile = AGENT_SUMMARIES.filter(({ id }) => estimator === id || /^[-@]/.test(rest(estimator, id))).sort(
    (a, b) => b.id.length - a.id.length,
  )[0];
  return profile && { agent: profile.label, variant: rest(estimator, profile.id).slice(1) };
}

/** The part of an estimator's name after an agent's id; empty if the name does not begin with the id. */
function rest(estimator: string, id: string): string {
  return estimator.startsWith(id) ? estimator.slice(id.length) : "";
}

/** True if its tokens must be fetched once, since the sizes in the columns are not enough. */
export function needsServer(id: string): boolean {
  return !isSizeEstimator(id);
}
