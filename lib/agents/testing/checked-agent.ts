import type { Tokens } from "@/lib/core/base/units";
import type { Policy } from "@/lib/core/compaction/policy";
import { type CountingMode, type Replay, replay } from "@/lib/core/compaction/replay";
import { resolveSettings, type Settings } from "@/lib/core/compaction/settings";
import type { ItemEstimator } from "@/lib/core/tokens/item-estimator";
import { anyEstimator } from "./any-estimator";
import { Comparison, type CrossCheck, type CrossCheckRun } from "./cross-check";
import { drawnRecording } from "./drawn-recording";
import { type Draws, drawnChoices, FEW_DRAWS, someOf } from "./drawn-settings";
import { type LoadedRecording, loadRecording, type Measures } from "./loaded-recording";
import { sumOf } from "./numbers";
import { checkAccount } from "./run-account";
import type { Variant } from "./variant";

/** A policy that was run over a recording's numbers: what the exact side is held to. */
export interface CheckedRun<Preset extends string = string> extends Variant {
  readonly preset: Preset;
  readonly recording: LoadedRecording;
  readonly settings: Settings;
  /** What the engine made of the numbers. */
  readonly numbers: Replay;
  /** Takes what differs. */
  readonly comparison: Comparison;
}

/** The exact side of a run: decides by the agent's own rules over its own messages, and compares what came of both. */
export type ExactSide<Preset extends string = string> = (run: CheckedRun<Preset>) => void | Promise<void>;

/** All that an agent gives for its two layers to be held to each other. */
export interface CheckedAgent<Preset extends string = string> {
  readonly policy: Policy;
  readonly presets: readonly Preset[];
  /** How recordings are counted for a preset. Presets that share an estimator share the recording that was counted. */
  readonly estimatorOf: (preset: Preset) => ItemEstimator;
  readonly measures?: Measures;
  /** The settings that are run over every recording. */
  readonly variants: (recording: LoadedRecording, preset: Preset) => readonly Variant[];
  /** Of what size a summary is, unless the settings say otherwise. */
  readonly summaryTokens: Tokens | ((preset: Preset, given: Variant["given"]) => Tokens);
  /** The window that the settings' defaults and bounds are of; without it the window that is run. */
  readonly boundsOf?: (window: Tokens) => Tokens;
  /** Settings that are not drawn, since the exact side knows one value of them alone. */
  readonly notDrawn?: readonly string[];
  /** Least values that are drawn, where they are not the settings' own. */
  readonly leastDrawn?: Readonly<Record<string, number>>;
  /** Whether the exact side goes by the sizes that it is given: then what is drawn is counted by any estimator. */
  readonly takesAnyEstimator?: true;
  /** Counting modes that are drawn; without them those of the variants stay. */
  readonly drawnCounting?: readonly CountingMode[];
  /** The exact side over a recording: what it needs of that is made once for all runs. */
  readonly exactSide: (recording: LoadedRecording, preset: Preset) => ExactSide<Preset>;
}

/** Bounds that are out of the way of every choice: they are there for sliders. */
export function wideBounds(window: Tokens): Tokens {
  return Math.max(window, 100_000_000);
}

/** The cross-check of an agent over any source. */
export function crossCheckOf<Preset extends string>(agent: CheckedAgent<Preset>): CrossCheck {
  return (source, draws) => checkedRuns(agent, (...counted) => loadRecording(source, ...counted), draws);
}

/** The same over a session that is drawn as text. */
export function drawnCheckOf<Preset extends string>(agent: CheckedAgent<Preset>) {
  return (drawing: string, draws?: Draws) =>
    checkedRuns(agent, (...counted) => drawnRecording(drawing, ...counted), draws);
}

/** A recording as an estimator counts it. */
type Load = (estimator: ItemEstimator, measures: Measures | undefined) => LoadedRecording;

/** Of every preset the variants, and some choices that are drawn from them. */
async function checkedRuns<Preset extends string>(
  agent: CheckedAgent<Preset>,
  load: Load,
  draws: Draws = FEW_DRAWS,
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
    runs.push(...(await variantRuns(agent, recording, preset, someOf(variants, of, draws))));
    const any = agent.takesAnyEstimator ? countedBy(await anyEstimator(recording.name, draws)) : recording;
    const drawn = drawnChoices(variants, { of, ...drawnFrom(agent, any, preset) }, draws);
    runs.push(...(await variantRuns(agent, any, preset, drawn)));
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

function drawnFrom<Preset extends string>(
  { policy, notDrawn = [], leastDrawn = {}, drawnCounting: counting }: CheckedAgent<Preset>,
  { tokens, agent }: LoadedRecording,
  preset: Preset,
) {
  const settingsIn = (window: Tokens) =>
    policy
      .settings(preset, { window, agent })
      .filter(({ key }) => !notDrawn.includes(key))
      .map((spec) => ("min" in spec ? { ...spec, min: leastDrawn[spec.key] ?? spec.min } : spec));
  return { tokens: sumOf(tokens), settingsIn, counting };
}

/** Runs the policy over the numbers, and holds what the run says of itself to its own series. */
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
