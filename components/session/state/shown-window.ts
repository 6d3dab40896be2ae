import { profileOf } from "@/lib/agents/profiles";
import type { RecordingFacts } from "@/lib/core/context/recording";
import type { PolicyChoice } from "./replay-choice";

/** A policy's window as the page shows it: everywhere the one that the recording states. */
export interface ShownWindow {
  readonly tokens: number;
  /** The window of the model, where the policy works with that one and a session may fill only a part of it. */
  readonly model?: number;
  /** The window to give to the policy for a shown one. */
  readonly ofPolicy: (shown: number) => number;
}

/**
 * Codex records what a session may fill, and its policy works with the model's whole window. Both on one page would be two windows of one session,
 * so the recorded one is shown, for the policy as well; the address and the command line name the policy's own.
 */
export function shownWindow(
  { policy, window }: Pick<PolicyChoice, "policy" | "window">,
  { agent, contextWindow }: Pick<RecordingFacts, "agent" | "contextWindow">,
): ShownWindow {
  const profile = agent === policy.id ? profileOf(agent) : undefined;
  if (profile?.policyWindow === undefined || contextWindow.source !== "recorded") {
    return { tokens: window.tokens, ofPolicy: (shown) => shown };
  }
  const share = contextWindow.tokens / profile.policyWindow(contextWindow.tokens);
  return {
    tokens: Math.round(window.tokens * share),
    model: window.tokens,
    ofPolicy: (shown) => Math.round(shown / share),
  };
}
