import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { type ReactNode, useMemo, useRef } from "react";
import { requiredContext } from "@/components/hooks/required-context";
import { triggerHandle } from "@/components/settings/trigger-setting";
import { policyById } from "@/lib/agents/policies";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { Policy } from "@/lib/core/compaction/policy/policy";
import { lastingName } from "@/lib/core/compaction/preset-names";
import { type Difference, differences } from "@/lib/core/metrics/difference";
import { type Remark, remarksOn } from "@/lib/core/metrics/remarks";
import { chosenOf } from "@/lib/queries/session/session-context";
import { type AddedRun, COMPARE_PARSERS, placesOfKnown, runOf, runText } from "../shared/runs/run-param";
import { presetToName, type ReplayChoice } from "../shared/state/replay-choice";
import { useReplay, useSession } from "../shared/state/stores";
import { useAddress } from "../shared/state/use-address";
import { asksForContents, contentsQuery, measuresQuery, refetchQuery } from "../shared/state/use-measures";
import {
  addedChoice,
  type ComparedRun,
  RunCache,
  type RunInput,
  recordedRun,
  replayed,
  simulatedRun,
} from "./compared-runs";

/** The current comparison: the recording, the replay panel's policy, and the added runs. */
export interface Comparison {
  readonly runs: readonly ComparedRun[];
  readonly difference: readonly Difference[];
  readonly remarks: readonly Remark[];
  /** The base of all differences. */
  readonly base: number;
  readonly setBase: (run: number) => void;
  /** The run to add for a policy id: one that is not compared yet. */
  readonly firstSettings: (policy: string) => AddedRun;
}

const [Context, useComparison] = requiredContext<Comparison>("Comparison");

export { useComparison };

/** Replays the added runs over the numbers of the page's own simulation: sends no request and counts nothing again. */
export function ComparisonProvider({ children }: { readonly children: ReactNode }) {
  const { columns, recorded, recording, observedTrigger } = useSession(
    "columns",
    "recorded",
    "recording",
    "observedTrigger",
  );
  const { choice, simulated, over, costs } = useReplay("choice", "simulated", "over", "costs");
  const [{ runs: asked, base: askedBase }, update] = useAddress(COMPARE_PARSERS);
  const added = useMemo(() => placesOfKnown(asked).flatMap((place) => asked[place] ?? []), [asked]);
  const policies = useMemo(() => added.flatMap(({ policy }) => policyById(policy) ?? []), [added]);
  const measured = useRunMeasures(
    columns,
    policies,
    added.some(({ settings }) => asksForContents(settings)),
  );
  const cache = useRef(new RunCache());
  const { counting } = choice;
  const input = useMemo(
    () => ({ ...recording, columns: measured, counting, costs }),
    [recording, measured, counting, costs],
  );
  const others = useMemo(() => cache.current.runsOf(added, input), [added, input]);
  const comparison = useMemo((): Comparison => {
    const [first, second] = [
      recordedRun(recorded, { ...recording, columns: measured }, observedTrigger, costs),
      simulatedRun(choice, simulated, over, costs),
    ];
    const runs = [first, second, ...others];
    const difference = differences(runs);
    return {
      runs,
      difference,
      remarks: remarksOn(runs, difference),
      base: askedBase < runs.length ? askedBase : 0,
      setBase: (base) => void update({ base }),
      firstSettings: (policy) => firstSettings(policy, runs, input),
    };
  }, [
    recorded,
    recording,
    measured,
    observedTrigger,
    choice,
    simulated,
    over,
    others,
    costs,
    input,
    askedBase,
    update,
  ]);
  return <Context value={comparison}>{children}</Context>;
}

/** Triggers to try, as shares of the largest context of the policy's runs. */
const SHARES = [0.75, 0.5, 0.25] as const;

/**
 * The run to add for a policy: with the preset of the recording's version, unless such a run is compared already. Otherwise the
 * first that gives another context on this recording: with a lower trigger, or with another preset.
 * @param compared the runs that are compared already
 */
export function firstSettings(policy: string, compared: readonly ComparedRun[], input: RunInput): AddedRun {
  const plain = runWith(policy, presetToName(policy, input.facts));
  // A policy with its hindsight optimum is a different run from the policy by its rule.
  const byRule = compared.filter(
    ({ isHindsight, lacksHindsightOptimum }) => !isHindsight && lacksHindsightOptimum !== true,
  );
  const known = new Set(byRule.flatMap(({ choice }) => (choice === undefined ? [] : [settingsText(choice)])));
  const isNew = (run: AddedRun): boolean => !known.has(settingsText(addedChoice(run, input)));
  if (isNew(plain)) return plain;
  const others = [...lowerTriggers(plain, compared, input), ...otherPresets(plain)].filter(isNew);
  return others.find((run) => differs(replayed(run, input), compared)) ?? others[0] ?? plain;
}

function runWith(policy: string, preset: string | null): AddedRun {
  return { policy, preset, window: null, settings: {}, schedule: "own" };
}

/** A key that two runs share if their policy, preset, window and settings are equal, even if they are written differently. */
function settingsText(choice: ReplayChoice): string {
  return runText(runOf(choice));
}

function lowerTriggers(plain: AddedRun, compared: readonly ComparedRun[], input: RunInput): readonly AddedRun[] {
  const choice = addedChoice(plain, input);
  const handle = triggerHandle(choice.policy, choice.specs, chosenOf(choice));
  if (handle === undefined) return [];
  const peaks = compared
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

/** True if a run's context differs from that of every compared run, at some request. */
function differs({ replay }: ComparedRun, compared: readonly ComparedRun[]): boolean {
  return compared.every((one) => one.replay.context.some((tokens, at) => tokens !== replay.context[at]));
}

/**
 * The columns with the measures that several policies need besides tokens. The server computes each once; until it arrives, and
 * if that fails, a policy uses sizes.
 * @param contents true to compare texts as well
 */
function useRunMeasures(columns: SessionColumns, policies: readonly Policy[], contents: boolean): SessionColumns {
  const session = useSession((state) => state);
  const distinct = [...new Set(policies)];
  const queries = [
    ...distinct.map((policy) => measuresQuery(session, policy)),
    contentsQuery(session, contents),
    refetchQuery(session),
  ];
  const measures = useQueries({ queries, combine: known });
  return useMemo(
    () => (measures.length === 0 ? columns : { ...columns, measures: Object.assign({}, ...measures) }),
    [columns, measures],
  );
}

/** Outside the hook, so that the query client gets the same function each time and returns the same list until something arrives. */
function known(results: readonly UseQueryResult<SessionColumns["measures"]>[]): readonly SessionColumns["measures"][] {
  return results.map(({ data }) => data).filter((data) => data !== undefined);
}
