import { type ReactNode, useDeferredValue, useMemo, useRef } from "react";
import { useNewestResult } from "@/components/hooks/newest-result";
import { requiredContext } from "@/components/hooks/required-context";
import { POLICIES, whenLoaded } from "@/lib/agents/policies";
import type { Steps } from "@/lib/core/base/steps";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { INPUT_KEYS, isInputKey } from "@/lib/core/compaction/policy/input-settings";
import type { SettingValue } from "@/lib/core/compaction/policy/settings";
import type { CountingMode, Replay } from "@/lib/core/compaction/replay";
import type { Recording } from "@/lib/core/context/recording";
import { splitOverhead } from "@/lib/core/context/standing";
import { type SummaryBand, summaryBand } from "@/lib/queries/boundaries/summary-band";
import type { ReplayCosts } from "@/lib/queries/cost/simulated-cost";
import { chosenOf } from "@/lib/queries/session/session-context";
import { useCosts, useCostTerms } from "./cost-data";
import { useRecorded } from "./recorded-data";
import {
  type PolicyChoice,
  policyChoice,
  presetToName,
  type ReplayChoice,
  replayedOrIdle,
  withSettings,
} from "./replay-choice";
import { useSession } from "./session-data";
import { REPLAY_PARSERS, settingParser } from "./url-state";
import { useAddress } from "./use-address";
import { asksForContents, useMeasures, useWithNeeds } from "./use-measures";

/** The simulation in force. It changes with every movement of a slider, at once or some frames later, and holds no text. */
export interface ReplayData {
  readonly choice: ReplayChoice;
  readonly simulated: Replay;
  /** The numbers that it ran over, with the policy's measures, and what tells what was needed again. */
  readonly over: Recording;
  /** Why a policy of one's own could not be replayed: then nothing is compacted. */
  readonly failure: string | undefined;
  /** Where the policy fires; absent for policies without a threshold. */
  readonly threshold: number | undefined;
}

interface ReplayActions {
  readonly setPolicy: (policy: string) => void;
  readonly setPreset: (preset: string) => void;
  readonly setEstimator: (estimator: string) => void;
  readonly setCounting: (counting: CountingMode) => void;
  readonly setWindow: (tokens: number | null) => void;
  readonly setSetting: (key: string, value: SettingValue) => void;
  /** Takes back everything that was chosen for the replay: policy, settings, how tokens are counted, and prices. */
  readonly reset: () => void;
  /** Reads the simulation in force on demand: for handlers of keys, which need not be drawn again while a slider moves. */
  readonly latest: () => ReplayData;
}

const [DataContext, useReplay] = requiredContext<ReplayData>("ReplayData");
const [AskedContext, useAskedChoice] = requiredContext<ReplayChoice>("AskedChoice");
const [ChoiceContext, usePolicyChoice] = requiredContext<PolicyChoice>("PolicyChoice");
const [ActionsContext, useReplayActions] = requiredContext<ReplayActions>("ReplayActions");

/**
 * `usePolicyChoice`, for readers that only name the policy: this does not change while a setting's slider moves. `useAskedChoice`, for controls: they show
 * a setting as it is asked for, though the simulation in force may still be an earlier one.
 */
export { useAskedChoice, usePolicyChoice, useReplay, useReplayActions };

type Simulation = Pick<ReplayData, "choice" | "simulated" | "failure">;

/** What a simulation is made from. */
interface ReplayInput {
  readonly chosen: PolicyChoice;
  readonly wanted: ReplayChoice;
  readonly recording: Recording;
  readonly measured: SessionColumns;
  readonly costs: ReplayCosts;
}

function* simulation({ wanted, recording, measured, costs }: ReplayInput): Steps<Simulation> {
  const over = { ...recording, columns: measured };
  const { choice, replay, failure } = yield* replayedOrIdle(wanted, over);
  yield;
  const simulated = splitOverhead(replay, over.overhead);
  // What it costs is drawn in several places, of which the first would compute it in the frame.
  costs.of(choice, simulated);
  return { choice, simulated, failure };
}

/** Then a simulation under the earlier settings may stand for some frames. */
function onlySettingsDiffer(one: ReplayInput, other: ReplayInput): boolean {
  return one.chosen === other.chosen && one.recording === other.recording && one.measured === other.measured;
}

/**
 * Replays in the frame in which a setting changes, or in the next ones where that takes longer than a frame allows. It runs over numbers only: it sends no
 * request and counts nothing again.
 */
export function ReplayDataProvider({ children }: { readonly children: ReactNode }) {
  const { columns, summary, defaultPolicy } = useSession();
  const { recording } = useRecorded();
  const [named, update] = useAddress(REPLAY_PARSERS);
  const { values, set, clear, clearOwn } = useSettingParams();

  const { costs } = useCosts();
  const [, updateTerms] = useCostTerms();
  const chosen = useMemo(
    () => policyChoice(named, defaultPolicy, recording, costs),
    [named, defaultPolicy, recording, costs],
  );
  const wanted = useMemo(() => withSettings(chosen, values), [chosen, values]);
  const measured = useMeasures(columns, chosen.policy, asksForContents(wanted.settings));
  const input = useMemo(
    (): ReplayInput => ({ chosen, wanted, recording, measured, costs }),
    [chosen, wanted, recording, measured, costs],
  );
  const { choice, simulated, failure } = useNewestResult(input, simulation, onlySettingsDiffer);
  const { policy } = choice;
  const asked = useMemo((): ReplayChoice => ({ ...wanted, policy }), [wanted, policy]);
  // The replay does not run again when the index arrives: only figures read it.
  const columnsWithNeeds = useWithNeeds(measured);
  const data = useMemo((): ReplayData => {
    const over = { ...recording, columns: columnsWithNeeds };
    return { choice, simulated, over, failure, threshold: choice.policy.threshold?.(chosenOf(choice)) };
  }, [choice, recording, simulated, failure, columnsWithNeeds]);
  const latest = useRef(data);
  latest.current = data;
  const actions = useMemo(
    (): ReplayActions => ({
      latest: () => latest.current,
      setPolicy: (policy) =>
        whenLoaded(policy, () => {
          clearOwn();
          void update({ policy, preset: presetToName(policy, summary), window: null });
        }),
      setPreset: (preset) => {
        clearOwn();
        void update({ preset });
      },
      setEstimator: (estimator) => void update({ estimator }),
      setCounting: (counting) => void update({ counting }),
      setWindow: (window) => void update({ window }),
      setSetting: set,
      reset: () => {
        clear();
        void updateTerms(null);
        void update({ policy: null, preset: null, estimator: null, counting: null, window: null });
      },
    }),
    [clear, clearOwn, set, update, updateTerms, summary],
  );
  return (
    <ActionsContext value={actions}>
      <ChoiceContext value={chosen}>
        <AskedContext value={asked}>
          <DataContext value={data}>{children}</DataContext>
        </AskedContext>
      </ChoiceContext>
    </ActionsContext>
  );
}

/** What the address may hold of settings. */
interface SettingKeys {
  readonly policies: number;
  readonly parsers: Readonly<Record<string, typeof settingParser>>;
  readonly options: { readonly urlKeys: Record<string, string> };
  readonly nothing: Readonly<Record<string, null>>;
  readonly nothingOwn: Readonly<Record<string, null>>;
}

let known: SettingKeys | undefined;

/** Every setting of every policy that is loaded, as `set.KEY` in the address. The selected policy decides which of them count. */
function settingKeys(): SettingKeys {
  if (known?.policies === POLICIES.length) return known;
  const own = POLICIES.flatMap((policy) =>
    policy.presets.flatMap((preset) => policy.settings(preset, { window: 200_000, agent: null }).map(({ key }) => key)),
  );
  const keys = [...INPUT_KEYS, ...new Set(own)];
  known = {
    policies: POLICIES.length,
    parsers: Object.fromEntries(keys.map((key) => [key, settingParser])),
    options: { urlKeys: Object.fromEntries(keys.map((key) => [key, `set.${key}`])) },
    nothing: Object.fromEntries(keys.map((key) => [key, null])),
    nothingOwn: Object.fromEntries(keys.filter((key) => !isInputKey(key)).map((key) => [key, null])),
  };
  return known;
}

interface SettingParams {
  readonly values: Readonly<Record<string, SettingValue>>;
  /** Sets one setting; `null` takes it out of the address. */
  readonly set: (key: string, value: SettingValue) => void;
  readonly clear: () => void;
  /** Clears the policy's own settings. Changed settings of the inputs stay, whatever the policy. */
  readonly clearOwn: () => void;
}

/** The settings in the address. */
function useSettingParams(): SettingParams {
  const { parsers, options, nothing, nothingOwn } = settingKeys();
  const [values, update] = useAddress(parsers, options);
  return useMemo(
    () => ({
      values,
      set: (key, value) => void update({ [key]: value }),
      clear: () => void update(nothing),
      clearOwn: () => void update(nothingOwn),
    }),
    [values, update, nothing, nothingOwn],
  );
}

/**
 * How far the simulated context depends on the size of the summaries; absent where that is not known. It takes two more replays,
 * so its update is deferred: while a slider moves it may be a step behind the line.
 */
export function useSummaryBand(): SummaryBand | undefined {
  return bandOf(useDeferredValue(useReplay()));
}

/** One band per replay, shared by all readers. */
const bands = new WeakMap<Replay, SummaryBand | "none">();

function bandOf({ choice, simulated, over }: ReplayData): SummaryBand | undefined {
  const band = bands.get(simulated) ?? summaryBand(choice, simulated, choice.counting, over) ?? "none";
  bands.set(simulated, band);
  return band === "none" ? undefined : band;
}
