import type { Tokens } from "../../base/units";
import { nearestStep } from "./nearest-step";
import type { Policy } from "./policy";
import type { InAgent, SettingSpec, Settings, SettingValue, Source } from "./settings";

/** One line that a user of the real agent types or pastes to get the replayed setting. */
export interface SettingLine {
  /** Key of the policy's setting that the line sets. */
  readonly key: string;
  /** Absent if this version of the agent has no known setting for it, or none that accepts the value. */
  readonly text?: string;
  /** The value that the text sets; present with the text. */
  readonly value?: SettingValue;
  /** Settings file that holds the text; absent for a command or an environment variable. */
  readonly file?: string;
  readonly source?: Source;
  /** Percentage in the text and its base, if that is not the window: the chart's trigger is a share of the window. */
  readonly percentOf?: { readonly percent: number; readonly base: Tokens; readonly threshold: Tokens };
  /** Trigger under the nearest value of the line's setting, if it differs from the replayed one; without a text it is the setting's limit. */
  readonly reaches?: { readonly threshold: Tokens; readonly asked: Tokens };
}

/** A policy with its preset and the specs of its settings. */
interface Specified {
  readonly policy: Pick<Policy, "threshold">;
  readonly preset: string;
  readonly specs: readonly SettingSpec[];
}

/**
 * Lines to give the real agent the settings of a replay that differ from their defaults, each with its source. `undefined` if there are no such
 * settings.
 * @param asked settings that get a line even if only a replay has them; settings that decide when to compact always get one
 */
export function settingToType(
  { policy, preset, specs }: Specified,
  settings: Settings,
  window: Tokens,
  asked: readonly string[] = [],
): readonly SettingLine[] | undefined {
  const changed = specs.filter(({ key, default: byDefault }) => (settings[key] ?? byDefault) !== byDefault);
  const thresholdUnder = (own: Settings): number => policy.threshold?.({ preset, settings: own, window }) ?? Number.NaN;
  const lines = new Map<string, SettingLine>();
  for (const { key, inAgent, decidesWhen = false } of changed) {
    if (inAgent === undefined && !decidesWhen && !asked.includes(key)) continue;
    if (inAgent == null) lines.set(key, { key });
    else if ("through" in inAgent) lines.set(inAgent.through, throughLine(inAgent));
    // A line that reaches the threshold of all settings together replaces the line of its own setting.
    else if (!lines.has(key)) lines.set(key, lineOf(key, inAgent, settings[key] ?? null, thresholdUnder(settings)));
  }
  return lines.size === 0 ? undefined : [...lines.values()];

  function lineOf(
    key: string,
    { text, file, percentOf, source, only }: Extract<InAgent, { text: string }>,
    value: SettingValue,
    threshold: Tokens,
  ): SettingLine {
    if (only !== undefined && value !== only) return { key, source };
    const filled = text.replace("<value>", String(value)).replace("<thousands>", String(Number(value) / 1000));
    const base = percentOf?.(window, settings);
    // A percentage above the default threshold has no effect.
    const isReached = base !== undefined && Math.abs((base * Number(value)) / 100 - threshold) <= 1;
    return {
      key,
      text: filled,
      value,
      ...(file === undefined ? {} : { file }),
      source,
      ...(isReached ? { percentOf: { percent: Number(value), base, threshold } } : {}),
    };
  }

  /** The line of the setting that reaches the same threshold to within a step; without a text if none of its values does. */
  function throughLine({ through, source }: Extract<InAgent, { through: string }>): SettingLine {
    const spec = specs.find(({ key }) => key === through);
    const own = spec?.inAgent;
    if (spec === undefined || !("step" in spec) || !own || "through" in own) return { key: through, source };
    const rest = Object.fromEntries(specs.flatMap((one) => (isThrough(one, through) ? [[one.key, one.default]] : [])));
    const at = (value: number) => thresholdUnder({ ...settings, ...rest, [through]: value });
    const target = thresholdUnder(settings);
    const rising = at(spec.max) > at(spec.min);
    const value = nearestStep(spec, at, rising, target);
    const next = value + spec.step <= spec.max ? value + spec.step : value - spec.step;
    const threshold = at(value);
    const isReached = Math.abs(threshold - target) <= Math.abs(at(next) - threshold);
    return {
      ...(isReached ? lineOf(through, own, value, threshold) : { key: through, source }),
      ...(Math.abs(threshold - target) > 1 ? { reaches: { threshold, asked: target } } : {}),
    };
  }
}

function isThrough({ inAgent }: SettingSpec, key: string): boolean {
  return inAgent !== undefined && inAgent !== null && "through" in inAgent && inAgent.through === key;
}
