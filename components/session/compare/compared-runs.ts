import { useTranslations } from "use-intl";
import { useFormat } from "@/components/format/use-format";
import { toField, usePolicyWords } from "@/components/settings/use-words";
import { allSteps } from "@/lib/core/base/steps";
import type { SettingSpec, SettingValue } from "@/lib/core/compaction/policy/settings";
import type { CountingMode, Replay } from "@/lib/core/compaction/replay";
import type { Recording } from "@/lib/core/context/recording";
import { windowToFill } from "@/lib/core/context/window";
import { type Compared, comparedOf } from "@/lib/core/metrics/compared";
import { refetchedOf } from "@/lib/core/refetch/metrics";
import type { ReplayCosts } from "@/lib/queries/cost/simulated-cost";
import { preparedAtHindsightOptimum } from "@/lib/queries/replays/hindsight-run";
import { metricInput, replayPrepared } from "@/lib/queries/replays/replay-result";
import { chosenOf } from "@/lib/queries/session/session-context";
import { type AddedRun, runText } from "../shared/runs/run-param";
import {
  idleAs,
  policyChoice,
  type ReplayChoice,
  replayedOrIdle,
  shownWindow,
  withSettings,
} from "../shared/state/replay-choice";
import { useSession } from "../shared/state/stores";

/** A run of the comparison, ready for charts and tables. */
export interface ComparedRun extends Compared {
  /** Error of a user policy that could not be replayed: then nothing is compacted. */
  readonly failure?: string | undefined;
  /** True if a run with the hindsight optimum has no compaction. */
  readonly lacksHindsightOptimum?: boolean;
  /** Absent for the recording itself. */
  readonly choice: ReplayChoice | undefined;
  readonly replay: Replay;
  /** The run's window, in tokens. */
  readonly window: number;
  /** The size at which its policy fires, in tokens; absent if unknown. */
  readonly trigger: number | undefined;
}

/** The recording as columns, with the measures that the compared policies need, and the way tokens are counted. */
export interface RunInput extends Recording {
  readonly counting: CountingMode;
  readonly costs: ReplayCosts;
}

/** The replay choice for a run in the address. An unknown policy is replaced by the policy `custom`. */
export function addedChoice(run: AddedRun, input: RunInput): ReplayChoice {
  return withSettings(policyChoice({ ...run, counting: input.counting }, "custom", input, input.costs), run.settings);
}

/**
 * The recording as a run.
 * @param observed the smallest context at which the recording shows an automatic compaction
 */
export function recordedRun(
  replay: Replay,
  { columns, facts }: Recording,
  observed: number | undefined,
  costs: ReplayCosts,
): ComparedRun {
  const window = facts.contextWindow.tokens;
  const cost = costs.ofRecording();
  const refetched = refetchedOf(columns, replay, true);
  const filled = windowToFill(facts.contextWindow);
  const compared = comparedOf(
    { replay, window: filled, isRecording: true, cost, regret: null, bestUsd: null, refetched },
    columns,
  );
  return { ...compared, choice: undefined, replay, window, trigger: observed };
}

/**
 * A replayed policy as a run.
 * @param isHindsight true if it compacted at its hindsight optimum
 */
export function simulatedRun(
  choice: ReplayChoice,
  replay: Replay,
  recording: Recording,
  costs: ReplayCosts,
  isHindsight = false,
): ComparedRun {
  const { policy, counting } = choice;
  const input = metricInput({ prepared: choice, replay, counting, recording }, costs, { regret: true });
  return {
    ...comparedOf(input, recording.columns, isHindsight),
    choice,
    replay,
    window: shownWindow(choice, recording.facts),
    trigger: policy.threshold?.(chosenOf(choice)),
  };
}

/** Replays added runs and keeps the latest results: changing one run does not replay the others again. */
export class RunCache {
  #input: RunInput | undefined;
  #runs = new Map<string, ComparedRun>();

  /** The runs for this input, in order. */
  runsOf(added: readonly AddedRun[], input: RunInput): readonly ComparedRun[] {
    const known = isSame(this.#input, input) ? this.#runs : new Map<string, ComparedRun>();
    const runs = added.map((run) => [runText(run), known.get(runText(run)) ?? replayed(run, input)] as const);
    this.#input = input;
    this.#runs = new Map(runs);
    return runs.map(([, run]) => run);
  }
}

export function replayed(run: AddedRun, input: RunInput): ComparedRun {
  const chosen = addedChoice(run, input);
  if (run.schedule === "best") return atHindsightOptimum(chosen, input);
  const { choice, replay, failure } = allSteps(replayedOrIdle(chosen, input));
  return { ...simulatedRun(choice, replay, input, input.costs), failure };
}

function atHindsightOptimum(chosen: ReplayChoice, input: RunInput): ComparedRun {
  const { counting, costs } = input;
  const prepared = preparedAtHindsightOptimum({ prepared: chosen, counting, recording: input }, costs);
  const choice = prepared ?? { ...chosen, policy: idleAs(chosen.policy) };
  const isHindsight = prepared !== undefined;
  const run = simulatedRun(choice, replayPrepared(choice, counting, input), input, costs, isHindsight);
  return { ...run, lacksHindsightOptimum: !isHindsight };
}

function isSame(a: RunInput | undefined, b: RunInput): boolean {
  return (
    a !== undefined &&
    a.facts === b.facts &&
    a.columns === b.columns &&
    a.tokens === b.tokens &&
    a.counting === b.counting &&
    a.costs === b.costs
  );
}

/** A policy without the settings that only decide when it compacts. */
export function withoutRule(choice: ReplayChoice): ReplayChoice {
  return { ...choice, specs: choice.specs.filter(({ decidesWhen }) => decidesWhen !== true) };
}

interface RunWords {
  /** Name of the run's policy, with its hindsight optimum if that was used; "Recorded" for the recording. */
  readonly name: (run: ComparedRun) => string;
  /** Preset, and settings that differ from it. For a recording without usage, a note that it is estimated. */
  readonly variant: (run: ComparedRun) => string;
}

export function useRunWords(): RunWords {
  const t = useTranslations("compare.runs");
  const words = usePolicyWords();
  const changes = useChanges();
  const format = useFormat();
  const { hasUsage } = useSession("hasUsage");
  return {
    name: ({ choice, isHindsight }) => {
      if (choice === undefined) return t("recorded");
      const policy = words.policy(choice.policy);
      return isHindsight ? t("hindsightOptimum", { policy }) : policy;
    },
    variant: ({ choice, isHindsight }) => {
      if (choice === undefined) return hasUsage ? "" : t("estimated");
      const preset = words.preset(choice.preset);
      return format.list(
        isHindsight ? [t("hindsight"), preset, ...changes(withoutRule(choice))] : [preset, ...changes(choice)],
      );
    },
  };
}

/** Every setting that differs from its default, with its value: distinguishes runs of one policy. */
function useChanges(): (choice: ReplayChoice) => readonly string[] {
  const t = useTranslations("replay.panel");
  const words = usePolicyWords();
  const format = useFormat();
  const written = (spec: SettingSpec, value: SettingValue): string => {
    if (spec.type === "number" && typeof value === "number") {
      const field = toField(spec, value);
      return `${Number.isInteger(field) ? format.count(field) : field} ${words.unit(spec.unit)}`;
    }
    return typeof value === "number" ? format.count(value) : words.choice(String(value));
  };
  return (choice) => {
    const { specs, settings, changed, window, defaultWindow } = choice;
    return [
      ...specs
        .filter(({ key }) => changed.has(key))
        .map((spec) => `${words.setting(spec)} ${written(spec, settings[spec.key] ?? null)}`),
      ...(window.tokens === defaultWindow ? [] : [`${t("window")} ${format.count(window.tokens)}`]),
    ];
  };
}
