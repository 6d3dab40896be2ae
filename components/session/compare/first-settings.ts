import { triggerHandle } from "@/components/settings/trigger-setting";
import { policyById } from "@/lib/agents/loaded";
import { lastingName } from "@/lib/core/compaction/preset-names";
import { chosenOf } from "@/lib/questions/session/session-context";
import { presetToName, type ReplayChoice } from "../state/replay-choice";
import { addedChoice, type ComparedRun, type RunInput, replayed } from "./compared-runs";
import { type AddedRun, runOf, runText } from "./run-param";

/** Triggers to try, as shares of what the policy's runs so far reach. */
const SHARES = [0.75, 0.5, 0.25] as const;

/**
 * The run with which a policy joins a comparison: as the recording's version has it, unless such a run is there already. Then it is
 * the first that comes to something else on this recording: with a lower trigger, or with another preset of the policy.
 * @param there the runs that are compared already
 */
export function firstSettings(policy: string, there: readonly ComparedRun[], input: RunInput): AddedRun {
  const plain = runWith(policy, presetToName(policy, input.facts));
  // At its best times a policy is another run than by its rule.
  const byRule = there.filter(({ isHindsight, lacksBestTimes }) => !isHindsight && lacksBestTimes !== true);
  const known = new Set(byRule.flatMap(({ choice }) => (choice === undefined ? [] : [settingsText(choice)])));
  const isNew = (run: AddedRun): boolean => !known.has(settingsText(addedChoice(run, input)));
  if (isNew(plain)) return plain;
  const others = [...lowerTriggers(plain, there, input), ...otherPresets(plain)].filter(isNew);
  return others.find((run) => differs(replayed(run, input), there)) ?? others[0] ?? plain;
}

function runWith(policy: string, preset: string | null): AddedRun {
  return { policy, preset, window: null, settings: {}, schedule: "own" };
}

/** The same for two runs with the same policy, preset, window and settings, however they were asked for. */
function settingsText(choice: ReplayChoice): string {
  return runText(runOf(choice));
}

function lowerTriggers(plain: AddedRun, there: readonly ComparedRun[], input: RunInput): readonly AddedRun[] {
  const choice = addedChoice(plain, input);
  const handle = triggerHandle(choice.policy, choice.specs, chosenOf(choice));
  if (handle === undefined) return [];
  const peaks = there
    .filter((run) => run.choice?.policy.id === choice.policy.id)
    .map(({ replay }) => replay.totals.peak);
  const reached = Math.min(choice.policy.threshold?.(chosenOf(choice)) ?? Number.POSITIVE_INFINITY, ...peaks);
  return SHARES.map((share) => ({
    ...plain,
    settings: { [handle.spec.key]: handle.valueFor(reached * share) },
  }));
}

function otherPresets({ policy: id }: AddedRun): readonly AddedRun[] {
  const policy = policyById(id);
  return policy === undefined ? [] : policy.presets.map((preset) => runWith(id, lastingName(policy, preset)));
}

/** Whether a run's context is another one than that of every run that is there, at some request. */
function differs({ replay }: ComparedRun, there: readonly ComparedRun[]): boolean {
  return there.every((one) => one.replay.context.some((tokens, at) => tokens !== replay.context[at]));
}
