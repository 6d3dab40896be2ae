import { niceStep } from "@/components/charts/scale";
import {
  type Axis,
  defaultRange,
  offered,
  rangeProblem,
  type SweptPolicy,
  sweepAxes,
} from "@/components/session/sweep/axes";
import { type NumberSpec, triggerHandle } from "@/components/settings/trigger-setting";
import { POLICIES, policyById, profileOf } from "@/lib/agents/policies";
import { defaultWindowOf } from "@/lib/agents/shared/profile";
import type { VaryRange } from "@/lib/core/analysis/grid";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import { presetOfName } from "@/lib/core/compaction/preset-names";
import { firstPreset, sessionlessSettings } from "@/lib/queries/session/session-context";

/** Window of policies without an agent, in tokens. Source: docs/interfaces.md, "Default windows". */
const WINDOW = 200_000;

/** The policies with a number to vary, and so a setting to recommend. */
export function advisedPolicies(): readonly Policy[] {
  return POLICIES.filter((policy) => policy.id !== "recorded" && policy.id !== "none");
}

/** The part of the query that is in the address. */
interface AdviceChoice {
  readonly policy: string | null;
  readonly preset: string | null;
  readonly vary: readonly VaryRange[];
}

/** A policy over many sessions, with the varied setting; without an axis it has none. */
export interface AdviceSetup extends SweptPolicy {
  readonly axis: Axis | undefined;
  readonly offered: readonly NumberSpec[];
  readonly problem: ReturnType<typeof rangeProblem>;
}

/**
 * The policy, the setting and its range from the address; else the policy of the agent with the most sessions, and the setting that moves its
 * trigger.
 */
export function adviceSetup({ policy: id, preset: name, vary }: AdviceChoice, agent: string | null): AdviceSetup {
  const named = policyById(id ?? agent ?? "custom") ?? policyById("custom");
  const advised = advisedPolicies();
  const policy = advised.find((one) => one === named) ?? advised.find((one) => one.id === "custom");
  if (policy === undefined) throw new Error("the policy custom is known");
  const preset = (name === null ? undefined : presetOfName(policy, name)) ?? firstPreset(policy);
  const profile = profileOf(policy.id);
  const tokens = profile === undefined ? WINDOW : defaultWindowOf(profile, preset).value;
  const specs = sessionlessSettings(policy, preset, tokens);
  const swept: SweptPolicy = {
    policy,
    preset,
    specs,
    settings: resolveSettings(specs, {}),
    window: { tokens, source: "default" },
  };
  const [first] = sweepAxes(swept, vary.slice(0, 1));
  const axis = vary.length > 0 || first === undefined ? first : { ...first, range: widelyAround(swept, first) };
  return { ...swept, axis, offered: offered(swept), problem: axis === undefined ? undefined : rangeProblem(axis) };
}

/** Ends of the default range, as shares of the window: the best threshold may be far from the documented one. */
const WIDELY = { from: 0.3, to: 0.95, steps: 8 } as const;

/** The range of the setting that moves the trigger over most of the window; of any other setting the default range. */
function widelyAround({ policy, preset, specs, settings, window }: SweptPolicy, { spec, range }: Axis): VaryRange {
  const handle = triggerHandle(policy, specs, { preset, settings, window: window.tokens });
  if (handle?.spec.key !== spec.key) return range;
  const ends = [WIDELY.from, WIDELY.to].map((share) => handle.valueFor(share * window.tokens));
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const fine = spec.step < 1 ? 1 / spec.step : 1;
  const step = niceStep((high - low) * fine, WIDELY.steps, spec.step * fine) / fine;
  const from = Math.max(spec.min, Math.ceil(low / step) * step);
  const to = Math.min(spec.max, Math.floor(high / step) * step);
  const clean = (value: number) => Number(value.toFixed(6));
  return to > from ? { key: spec.key, from: clean(from), to: clean(to), step: clean(step) } : range;
}

/** The default range of an offered setting. */
export function rangeOf({ offered: specs }: AdviceSetup, key: string): VaryRange | undefined {
  const spec = specs.find((one) => one.key === key);
  return spec === undefined ? undefined : defaultRange(spec);
}
