import type { MessageMeasures } from "@/lib/agents/shared/server-profile";
import { sumOf } from "@/lib/core/base/numbers";
import type { Tokens } from "@/lib/core/base/units";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import { resolveSettings, type Settings } from "@/lib/core/compaction/policy/settings";
import { type CountingMode, type Replay, replay } from "@/lib/core/compaction/replay";
import type { ItemEstimator } from "@/lib/core/tokens/item-estimator";
import { anyEstimator } from "./any-estimator";
import { Comparison, type CrossCheck, type CrossCheckRun } from "./cross-check";
import { generatedRecording } from "./generated-recording";
import { type LoadedRecording, loadRecording } from "./loaded-recording";
import { checkAccount } from "./run-account";
import type { Variant } from "./variant";
import { DEFAULT_SAMPLING, type Sampling, someOf, variedChoices } from "./varied-settings";

/** A run of a policy over a recording's numbers: the exact side is compared with it. */
export interface CheckedRun<Preset extends string = string> extends Variant {
  readonly preset: Preset;
  readonly recording: LoadedRecording;
  readonly settings: Settings;
  /** Result of the engine's replay. */
  readonly numbers: Replay;
  /** Collects the differences. */
  readonly comparison: Comparison;
}

/** The exact side of a run. It applies the agent's own rules to the agent's own messages, and compares the results of both sides. */
export type ExactSide<Preset extends string = string> = (run: CheckedRun<Preset>) => void | Promise<void>;

/** Functions of an agent that compare its two layers. */
export interface CheckedAgent<Preset extends string = string> {
  readonly policy: Policy;
  readonly presets: readonly Preset[];
  /** The estimator for a preset. Presets that share an estimator share the counted recording too. */
  readonly estimatorOf: (preset: Preset) => ItemEstimator;
  readonly measures?: MessageMeasures;
  /** The settings that are run over every recording. */
  readonly variants: (recording: LoadedRecording, preset: Preset) => readonly Variant[];
  /** The size of a summary, unless the settings say otherwise. */
  readonly summaryTokens: Tokens | ((preset: Preset, given: Variant["given"]) => Tokens);
  /** The window from which the settings' defaults and bounds follow; the run's own window if this is absent. */
  readonly boundsOf?: (window: Tokens) => Tokens;
  /** Settings that are not varied, since the exact side knows only one value of them. */
  readonly notVaried?: readonly string[];
  /** Smallest varied values that differ from the settings' own bounds. */
  readonly leastVaried?: Readonly<Record<string, number>>;
  /** True if the exact side works with any sizes that it is given: varied runs may then use any estimator. */
  readonly takesAnyEstimator?: true;
  /** Counting modes to vary; if absent, each variant keeps its own. */
  readonly variedCounting?: readonly CountingMode[];
  /** The exact side for a recording. Data that it needs from the recording is computed once for all runs. */
  readonly exactSide: (recording: LoadedRecording, preset: Preset) => ExactSide<Preset>;
}

/** Bounds so wide that no chosen value is clamped: bounds exist only for sliders. */
export function wideBounds(window: Tokens): Tokens {
  return Math.max(window, 100_000_000);
}

/** The cross-check of an agent over a recording from any source. */
export function crossCheckOf<Preset extends string>(agent: CheckedAgent<Preset>): CrossCheck {
  return (source, sampling) => checkedRuns(agent, (...counted) => loadRecording(source, ...counted), sampling);
}

/** The same over a session that is generated from text. */
export function generatedCheckOf<Preset extends string>(agent: CheckedAgent<Preset>) {
  return (drawing: string, sampling?: Sampling) =>
    checkedRuns(agent, (...counted) => generatedRecording(drawing, ...counted), sampling);
}

/** Loads a recording as an estimator counts it. */
type Load = (estimator: ItemEstimator, measures: MessageMeasures | undefined) => LoadedRecording;

/** Runs the variants of every preset, and some choices varied from them. */
async function checkedRuns<Preset extends string>(
  agent: CheckedAgent<Preset>,
  load: Load,
  sampling: Sampling = DEFAULT_SAMPLING,
): Promise<readonly CrossCheckRun[]> {
  const counted = new Map<ItemEstimator, LoadedRecording>();
  const countedBy = (estimator: ItemEstimator) => {
    const recording = counted.get(estimator) ?? load(estimator, agent.measures);
    counted.set(estimator, recording);
    return recording;
  };
  const runs: CrossCheckRun[] = [];
  for (const preset of agent.presets) {
    const recording = countedBy(agent.estimatorOf(preset));
    const variants = agent.variants(recording, preset);
    const of = `${preset} ${recording.name}`;
    runs.push(...(await variantRuns(agent, recording, preset, someOf(variants, of, sampling))));
    const any = agent.takesAnyEstimator ? countedBy(await anyEstimator(recording.name, sampling)) : recording;
    const varied = variedChoices(variants, { of, ...variedFrom(agent, any, preset) }, sampling);
    runs.push(...(await variantRuns(agent, any, preset, varied)));
  }
  return runs;
}

async function variantRuns<Preset extends string>(
  agent: CheckedAgent<Preset>,
  recording: LoadedRecording,
  preset: Preset,
  variants: readonly Variant[],
): Promise<readonly CrossCheckRun[]> {
  const exactSide = agent.exactSide(recording, preset);
  const runs: CrossCheckRun[] = [];
  for (const variant of variants) {
    const run = columnarRun(agent, recording, preset, variant);
    await exactSide(run);
    runs.push(run.comparison.run(preset, variant.label));
  }
  return runs;
}

function variedFrom<Preset extends string>(
  { policy, notVaried = [], leastVaried = {}, variedCounting: counting }: CheckedAgent<Preset>,
  { tokens, agent }: LoadedRecording,
  preset: Preset,
) {
  const settingsIn = (window: Tokens) =>
    policy
      .settings(preset, { window, agent })
      .filter(({ key }) => !notVaried.includes(key))
      .map((spec) => ("min" in spec ? { ...spec, min: leastVaried[spec.key] ?? spec.min } : spec));
  return { tokens: sumOf(tokens), settingsIn, counting };
}

/** Runs the policy over the numbers, and compares its report with its own series. */
function columnarRun<Preset extends string>(
  { policy, summaryTokens, boundsOf }: CheckedAgent<Preset>,
  recording: LoadedRecording,
  preset: Preset,
  variant: Variant,
): CheckedRun<Preset> {
  const { window, given, counting = "estimate" } = variant;
  const { columns, tokens, agent } = recording;
  const specs = policy.settings(preset, { window: boundsOf?.(window) ?? window, agent });
  const summary = typeof summaryTokens === "number" ? summaryTokens : summaryTokens(preset, given);
  const settings = resolveSettings(specs, { summaryTokens: summary, ...given });
  const numbers = replay({ columns, tokens }, policy, settings, { preset, window, counting });
  const comparison = new Comparison();
  checkAccount(comparison, numbers, { policy, preset, settings, window });
  return { ...variant, preset, recording, settings, numbers, comparison };
}
