import type { ContextView, PolicyPlan, PolicyRun, Retention, SimulatedTrigger } from "./policy";
import type { Settings } from "./settings";

/** A policy that remembers nothing: the view and the settings decide. */
export interface Rules {
  readonly shouldCompact: (view: ContextView, settings: Settings) => SimulatedTrigger | null;
  readonly compact: (view: ContextView, settings: Settings) => Retention;
}

/** Begins a run that follows such rules. */
export function byRules({ shouldCompact, compact }: Rules): (plan: PolicyPlan) => PolicyRun {
  return ({ settings }) => ({
    before: (view) => {
      const trigger = shouldCompact(view, settings);
      return trigger === null ? undefined : { ...compact(view, settings), trigger };
    },
  });
}
