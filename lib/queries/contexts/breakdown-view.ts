import { policyById, profileOf } from "@/lib/agents/policies";
import type { Share, Tokens } from "@/lib/core/base/units";
import { type Breakdown, breakdownAt } from "@/lib/core/context/breakdown";
import type { BreakdownInput, OwnBreakdown } from "@/lib/core/context/own-breakdown";
import type { WrittenBy } from "@/lib/core/context/recording";
import { ChoiceError, presetOfVersion } from "../session/session-context";

/** The name of our own breakdown, which imitates no agent. */
export const OURS = "ours";

/** A kind of breakdown: this program's, or one of the rule sets of the recording's own agent. */
export interface BreakdownView {
  /** `ours`, or `ID@PRESET`. */
  readonly name: string;
  /** The agent's preset; absent for ours. */
  readonly preset?: string;
  readonly own?: OwnBreakdown;
}

/** The views of a session, the default first: the views of its own agent, if any, then this program's. */
export function breakdownViews(session: WrittenBy): readonly BreakdownView[] {
  const profile = profileOf(session.agent);
  const own = profile?.breakdown;
  if (profile === undefined || own === undefined) return [{ name: OURS }];
  const policy = policyById(profile.id);
  const first = policy === undefined ? own.presets[0] : presetOfVersion(policy, session);
  const presets = [...own.presets].sort((a, b) => Number(b === first) - Number(a === first));
  return [...presets.map((preset) => ({ name: `${profile.id}@${preset}`, preset, own })), { name: OURS }];
}

/** The view with a name: `ours`, `ID`, `ID@PRESET` or a preset; without a name, the default. Throws `ChoiceError`. */
export function breakdownView(session: WrittenBy, name: string | undefined): BreakdownView {
  const views = breakdownViews(session);
  const found = views.find(
    (view) => name === undefined || name === session.agent || view.name === name || view.preset === name,
  );
  if (found !== undefined) return found;
  throw new ChoiceError(`no breakdown ${name} of this session; there are ${views.map((view) => view.name).join(", ")}`);
}

/** Contents of the window in a view. */
export function viewedBreakdown({ own, preset }: BreakdownView, input: BreakdownInput): Breakdown {
  if (own !== undefined && preset !== undefined) return own.at(input, preset);
  const { series, request, window, overhead } = input;
  return breakdownAt({ series, request, window, trigger: triggerOf(input), overhead });
}

/** The agent's compaction point: the user's share of the window, else the agent's own rule. */
function triggerOf({ threshold, trigger, window }: BreakdownInput): Tokens | undefined {
  return threshold === undefined ? trigger : Math.floor(window * threshold);
}

/** The share to show: the chosen one, else the trigger's. */
export function shownThreshold(
  chosen: Share | undefined,
  trigger: Tokens | undefined,
  window: Tokens,
  settings: Readonly<Record<string, unknown>> | undefined,
): Share | null {
  if (chosen !== undefined) return chosen;
  if (trigger === undefined) return null;
  const set = settings?.threshold;
  // The trigger may be the agent's own share, rounded to tokens: then that share is shown.
  return typeof set === "number" && Math.abs(set * window - trigger) <= 1 ? set : trigger / window;
}
