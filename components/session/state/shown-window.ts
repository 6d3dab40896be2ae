import { profileOf } from "@/lib/agents/loaded";
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
 * so the recorded one is shown, for the policy as well; the address and the command line name the policy's own. Where a person had set another window
 * than the model's, the two have nothing to do with each other, and the policy's own is shown.
 */
export function shownWindow(
  { policy, window, defaultWindow }: Pick<PolicyChoice, "policy" | "window" | "defaultWindow">,
  { agent, contextWindow }: Pick<RecordingFacts, "agent" | "contextWindow">,
): ShownWindow {
  const whole = agent === policy.id ? profileOf(agent)?.policyWindow?.(contextWindow.tokens) : undefined;
  if (whole === undefined || whole !== defaultWindow || contextWindow.source !== "recorded") {
    return { tokens: window.tokens, ofPolicy: (shown) => shown };
  }
  const share = contextWindow.tokens / whole;
  return {
    tokens: Math.round(window.tokens * share),
    model: window.tokens,
    ofPolicy: (shown) => Math.round(shown / share),
  };
}
