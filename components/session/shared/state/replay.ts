import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { inSlices, useNewestResult } from "@/components/hooks/newest-result";
import type { Store } from "@/components/hooks/store";
import { useSettled } from "@/components/hooks/use-settled";
import { POLICIES, whenLoaded } from "@/lib/agents/policies";
import type { Steps } from "@/lib/core/base/steps";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { INPUT_KEYS } from "@/lib/core/compaction/policy/input-settings";
import { isSharedKey, PAUSE_KEYS } from "@/lib/core/compaction/policy/pause-settings";
import type { SettingValue } from "@/lib/core/compaction/policy/settings";
import type { CountingMode, Replay } from "@/lib/core/compaction/replay";
import { splitOverhead } from "@/lib/core/context/context-overhead";
import type { Recording } from "@/lib/core/context/recording";
import { type Prices, pricesOfModels } from "@/lib/core/prices/prices";
import { ask } from "@/lib/queries/client/client";
import type { SessionAnswer } from "@/lib/queries/contract/types";
import type { CostTerms } from "@/lib/queries/cost/cost-terms";
import type { HindsightOptimum } from "@/lib/queries/cost/hindsight-optimum";
import { ReplayCosts } from "@/lib/queries/cost/simulated-cost";
import { chosenOf } from "@/lib/queries/session/session-context";
import {
  type PolicyChoice,
  policyChoice,
  presetToName,
  type ReplayChoice,
  replayedOrIdle,
  withSettings,
} from "./replay-choice";
import type { SessionState } from "./session";
import { COST_TERMS_PARSERS, REPLAY_PARSERS, settingParser } from "./url-state";
import { useAddress } from "./use-address";
import { asksForContents, useMeasures, useWithRefetches } from "./use-measures";

/**
 * The replay store: the current simulation, its inputs, and its cost. The simulation changes with a slider, at once or some frames later; it holds no
 * text.
 */
export interface ReplayState extends Pricing {
  /** The policy without its settings, so that it stays the same while a slider moves. */
  readonly chosen: PolicyChoice;
  /** The requested settings, shown by controls; the current simulation may still be an earlier one. */
  readonly asked: ReplayChoice;
  /** Inputs of the current simulation. */
  readonly choice: ReplayChoice;
  readonly simulated: Replay;
  /** Its columns, with the policy's measures and the index of re-fetched content. */
  readonly over: Recording;
  /** Error of a user policy that could not be replayed: then nothing is compacted. */
  readonly failure: string | undefined;
  /** The policy's trigger; absent for policies without a threshold. */
  readonly threshold: number | undefined;
  /**
   * The hindsight optimum of the current policy; `undefined` if unknown. It is computed between frames once the settings rest: until then it is
   * pending, unless only settings moved that do not affect it.
   */
  readonly schedule: HindsightOptimum | undefined | "pending";
  /** The quick sweep that a session opens with; `undefined` if the address asks for a replay, or was reset. */
  readonly opening: Opening | "pending" | undefined;
}

/** The result of the quick sweep on opening. As long as the address asks for no replay, its setting is in force without being in the address. */
export interface Opening {
  readonly tried: number;
  readonly isPriced: boolean;
  /** Number of triggers that are cheaper than the result, but left out because they thrash. */
  readonly thrashing: number;
  /** Absent if no other trigger is cheaper than the policy's own. */
  readonly best?: { readonly key: string; readonly value: number };
  /** The token sizes that were swept. The result is outdated once other sizes arrive or the file grows. */
  readonly over: Int32Array;
}

export interface ReplayActions {
  readonly setPolicy: (policy: string) => void;
  readonly setPreset: (preset: string) => void;
  readonly setEstimator: (estimator: string) => void;
  readonly setCounting: (counting: CountingMode) => void;
  readonly setWindow: (tokens: number | null) => void;
  readonly setSetting: (key: string, value: SettingValue) => void;
  /** Sets these settings; the policy's other own settings get their defaults. */
  readonly setOwn: (values: Readonly<Record<string, SettingValue>>) => void;
  readonly setPrices: (prices: Partial<AskedPrices>) => void;
  /** Resets all choices for the replay: policy, settings, estimator, and prices. */
  readonly reset: () => void;
  /** @param opening `undefined` if no setting moves the policy's trigger */
  readonly setOpening: (opening: Opening | undefined) => void;
}

type Simulation = Pick<ReplayState, "choice" | "simulated" | "failure">;

interface ReplayInput {
  readonly chosen: PolicyChoice;
  readonly wanted: ReplayChoice;
  readonly recording: Recording;
  readonly measured: SessionColumns;
  readonly costs: ReplayCosts;
}

function* simulate({ wanted, recording, measured, costs }: ReplayInput): Steps<Simulation> {
  const over = { ...recording, columns: measured };
  const { choice, replay, failure } = yield* replayedOrIdle(wanted, over);
  yield;
  const simulated = splitOverhead(replay, over.overhead);
  // Several components show the cost; without this the first would compute it within the frame.
  costs.of(choice, simulated);
  return { choice, simulated, failure };
}

/** A simulation with the earlier settings may stay for some frames. */
function onlySettingsDiffer(one: ReplayInput, other: ReplayInput): boolean {
  return one.chosen === other.chosen && one.recording === other.recording && one.measured === other.measured;
}

export function useReplayAddress() {
  const [run, changeRun] = useAddress(REPLAY_PARSERS);
  const [prices, changePrices] = useAddress(COST_TERMS_PARSERS);
  const settings = useSettingParams();
  const opening = useOpening(run, settings);
  return { run, changeRun, prices, changePrices, settings, opening };
}

/** The quick sweep on opening. Source: docs/decisions/0057-open-with-a-contrast.md. */
function useOpening(run: object, { values, set }: SettingParams) {
  const isAsked = [run, values].some((asked) => Object.values(asked).some((value) => value !== null));
  const [found, setOpening] = useState<ReplayState["opening"]>(isAsked ? undefined : "pending");
  const opening = isAsked ? undefined : found;
  const best = opening === "pending" ? undefined : opening?.best;
  const inForce = useRef(best);
  inForce.current = best;
  const actions = useMemo(
    () => ({
      setOpening,
      /** Adds its setting to the address together with another choice, so that the shown replay stays in force. */
      keep: (but?: string): void => {
        const shown = inForce.current;
        inForce.current = undefined;
        if (shown !== undefined && shown.key !== but) set(shown.key, shown.value, { history: "replace" });
      },
      /** Forgets its setting, which the next choice replaces. */
      leave: (): void => {
        inForce.current = undefined;
      },
    }),
    [set],
  );
  const shown = useMemo(() => (best === undefined ? values : { ...values, [best.key]: best.value }), [best, values]);
  return { opening, values: shown, ...actions };
}

type ReplayAddress = ReturnType<typeof useReplayAddress>;
type AskedPrices = ReplayAddress["prices"];

/** Replays in the same frame as a change of settings, or in the next frames if it takes longer. Sends no request and counts nothing again. */
export function useReplayState(session: SessionState, { run, prices, opening: start }: ReplayAddress): ReplayState {
  const { answer, columns, defaultPolicy, recording } = session;
  const pricing = usePricing(answer, columns, prices);
  const { costs } = pricing;
  const chosen = useMemo(
    () => policyChoice(run, defaultPolicy, recording, costs),
    [run, defaultPolicy, recording, costs],
  );
  const { values, opening } = start;
  const wanted = useMemo(() => withSettings(chosen, values), [chosen, values]);
  const measured = useMeasures(session, columns, chosen.policy, asksForContents(wanted.settings));
  const input = useMemo(
    (): ReplayInput => ({ chosen, wanted, recording, measured, costs }),
    [chosen, wanted, recording, measured, costs],
  );
  const simulation = useNewestResult(input, simulate, onlySettingsDiffer);
  const { policy } = simulation.choice;
  const asked = useMemo((): ReplayChoice => ({ ...wanted, policy }), [wanted, policy]);
  // The replay does not run again when the index arrives: only metrics read it.
  const columnsWithRefetches = useWithRefetches(session, measured);
  const over = useMemo(() => ({ ...recording, columns: columnsWithRefetches }), [recording, columnsWithRefetches]);
  const schedule = useHindsightOptimum(simulation.choice, over, costs);
  return useMemo((): ReplayState => {
    const { choice } = simulation;
    return {
      ...pricing,
      ...simulation,
      chosen,
      asked,
      over,
      threshold: choice.policy.threshold?.(chosenOf(choice)),
      schedule,
      opening,
    };
  }, [pricing, simulation, chosen, asked, over, schedule, opening]);
}

/**
 * @param session the presets depend on the version that wrote it
 */
export function useReplayActionsOf(
  session: Store<SessionState>,
  {
    changeRun,
    changePrices,
    settings: { set, clear, replaceOwn },
    opening: { keep, leave, setOpening },
  }: ReplayAddress,
): ReplayActions {
  return useMemo(
    () => ({
      setPolicy: (policy) =>
        whenLoaded(policy, () => {
          leave();
          replaceOwn({});
          void changeRun({ policy, preset: presetToName(policy, session.get().summary) });
        }),
      setPreset: (preset) => {
        leave();
        replaceOwn({});
        void changeRun({ preset });
      },
      setEstimator: (estimator) => {
        keep();
        void changeRun({ estimator });
      },
      setCounting: (counting) => {
        keep();
        void changeRun({ counting });
      },
      setWindow: (window) => {
        keep();
        void changeRun({ window });
      },
      setSetting: (key, value) => {
        keep(key);
        // The user chose the default: without this, the setting of the opening sweep would replace it.
        if (value === null) setOpening(undefined);
        set(key, value);
      },
      setOwn: (values) => {
        leave();
        setOpening(undefined);
        replaceOwn(values);
      },
      setPrices: (prices) => {
        keep();
        void changePrices(prices);
      },
      reset: () => {
        leave();
        setOpening(undefined);
        clear();
        void changePrices(null);
        void changeRun({ policy: null, preset: null, estimator: null, counting: null, window: null });
      },
      setOpening,
    }),
    [changeRun, changePrices, set, clear, replaceOwn, keep, leave, setOpening, session],
  );
}

/** Pricing of requests. It changes with the selected prices, never while a slider moves. */
interface Pricing {
  /** The selection in the address. */
  readonly askedPrices: AskedPrices;
  /** Prices of the session's models, and of the selected model. */
  readonly prices: Prices;
  /** The current terms. They leave out a model whose prices have not arrived or do not exist. */
  readonly terms: CostTerms;
  readonly costs: ReplayCosts;
  /** The model in the address, if not applied: its prices are still loading, failed to load, or do not exist. */
  readonly missing: { readonly model: string; readonly isLoading: boolean; readonly hasFailed: boolean } | undefined;
}

/** Prices of the session's models come with the session; another model's are fetched once, when it is selected. */
function usePricing(answer: SessionAnswer, columns: SessionColumns, askedPrices: AskedPrices): Pricing {
  const { ttl, on, priceDate } = askedPrices;
  const own = on === null ? undefined : answer.prices[on];
  const row = useQuery({
    queryKey: ["prices", on],
    queryFn: ({ signal }) => ask("prices", { search: { model: on ?? undefined } }, signal),
    enabled: on !== null && own === undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const entry = own ?? row.data?.entry ?? undefined;
  const prices = useMemo(
    () => pricesOfModels(on === null || entry === undefined ? answer.prices : { ...answer.prices, [on]: entry }),
    [answer.prices, on, entry],
  );
  const { isLoading, isError: hasFailed } = row;
  return useMemo((): Pricing => {
    const isKnown = on !== null && entry !== undefined;
    const terms: CostTerms = {
      ...(ttl === "recorded" ? {} : { ttl }),
      ...(isKnown ? { on } : {}),
      ...(priceDate === "recorded" ? {} : { priceDate }),
    };
    const missing = on === null || isKnown ? undefined : { model: on, isLoading, hasFailed };
    return { askedPrices, prices, terms, costs: new ReplayCosts({ columns }, prices, terms), missing };
  }, [askedPrices, prices, ttl, on, priceDate, entry, isLoading, hasFailed, columns]);
}

/** Time without a change of settings before the search for the hindsight optimum begins. */
const REST_MS = 300;

function useHindsightOptimum(choice: ReplayChoice, over: Recording, costs: ReplayCosts): ReplayState["schedule"] {
  const rests = useSettled<ReplayChoice | null>(choice, REST_MS, null) === choice;
  const run = useMemo(() => ({ prepared: choice, counting: choice.counting, recording: over }), [choice, over]);
  const [found, setFound] = useState({});
  useEffect(() => {
    if (!rests) return;
    // A comparison may have computed it meanwhile: its table asks at once.
    if (!costs.knowsSchedule(run)) return inSlices(costs.searchSchedule(run), () => setFound({}));
    setFound({});
  }, [rests, costs, run]);
  // biome-ignore lint/correctness/useExhaustiveDependencies(found): the result changes when the search ends
  return useMemo(() => (costs.knowsSchedule(run) ? costs.hindsightOptimum(run) : "pending"), [costs, run, found]);
}

/** Valid values of settings in the address. */
interface SettingKeys {
  readonly policies: number;
  readonly parsers: Readonly<Record<string, typeof settingParser>>;
  readonly options: { readonly urlKeys: Record<string, string> };
  readonly nothing: Readonly<Record<string, null>>;
  readonly nothingOwn: Readonly<Record<string, null>>;
}

let known: SettingKeys | undefined;

/** Every setting of every loaded policy, as `set.KEY` in the address. The selected policy decides which of them apply. */
function settingKeys(): SettingKeys {
  if (known?.policies === POLICIES.length) return known;
  const own = POLICIES.flatMap((policy) =>
    policy.presets.flatMap((preset) => policy.settings(preset, { window: 200_000, agent: null }).map(({ key }) => key)),
  );
  const keys = [...INPUT_KEYS, ...PAUSE_KEYS, ...new Set(own)];
  known = {
    policies: POLICIES.length,
    parsers: Object.fromEntries(keys.map((key) => [key, settingParser])),
    options: { urlKeys: Object.fromEntries(keys.map((key) => [key, `set.${key}`])) },
    nothing: Object.fromEntries(keys.map((key) => [key, null])),
    nothingOwn: Object.fromEntries(keys.filter((key) => !isSharedKey(key)).map((key) => [key, null])),
  };
  return known;
}

interface SettingParams {
  readonly values: Readonly<Record<string, SettingValue>>;
  /** Sets one setting; `null` removes it from the address. */
  readonly set: (key: string, value: SettingValue, options?: { readonly history: "replace" }) => void;
  readonly clear: () => void;
  /** Clears the policy's own settings except these. Changed input settings stay, because every policy has them. */
  readonly replaceOwn: (values: Readonly<Record<string, SettingValue>>) => void;
}

function useSettingParams(): SettingParams {
  const { parsers, options, nothing, nothingOwn } = settingKeys();
  const [values, update] = useAddress(parsers, options);
  return useMemo(
    () => ({
      values,
      set: (key, value, options) => void update({ [key]: value }, options),
      clear: () => void update(nothing),
      replaceOwn: (own) => void update({ ...nothingOwn, ...own }),
    }),
    [values, update, nothing, nothingOwn],
  );
}
