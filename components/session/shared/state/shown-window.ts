import type { RecordingFacts } from "@/lib/core/context/recording";
import type { PolicyChoice } from "./replay-choice";

/**
 * The size that charts and shares of a session's page mean by the window of a policy. Codex records the effective window of a session, and its policy
 * works with the whole one: both lines on one chart would be two windows of one session, so the effective one is drawn for the policy as well. The
 * panel's field, the address and the command line name the whole one.
 */
export function shownWindow(
  { policy, window }: Pick<PolicyChoice, "policy" | "window">,
  { agent, contextWindow }: Pick<RecordingFacts, "agent" | "contextWindow">,
): number {
  const isEffective = agent === policy.id && contextWindow.whole !== undefined;
  return isEffective ? (window.effective ?? window.tokens) : window.tokens;
}
