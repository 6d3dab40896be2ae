import type { AdvisedBy } from "@/lib/core/advice/recommend";
import { type SweepSet, sweepPoints, type VaryRange } from "@/lib/core/analysis/grid";
import type { RequestIndex } from "@/lib/core/base/units";
import { isRecordedPolicy } from "@/lib/core/compaction/policies/recorded";
import { isPauseKey } from "@/lib/core/compaction/policy/pause-settings";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import type { Replay } from "@/lib/core/compaction/replay";
import { type ReplayTotals, totalsOf } from "@/lib/core/compaction/replay-totals";
import { thrashes, withoutRefusals } from "@/lib/core/compaction/simulation/simulated-compaction";
import type { Recording } from "@/lib/core/context/recording";
import { windowToExceed } from "@/lib/core/context/window";
import type { PriceList } from "@/lib/core/prices/price-list";
import { refetchedOf } from "@/lib/core/refetch/metrics";
import type { CostUsd, ReplayRequest, SimulatedCostUsd } from "@/lib/queries/contract/types";
import type { CostTerms } from "../cost/cost-terms";
import { modelsWithOtherCacheShare } from "../cost/other-models";
import { ReplayCosts } from "../cost/simulated-cost";
import { type PreparedPolicy, preparePolicy } from "../session/session-context";
import { countingInForce, type RanReplay, replayPrepared } from "./replay-result";

/**
 * Assumptions of replayed sessions. `as-set`: none. `small-summaries`, `large-summaries`: summaries of the smallest and the largest recorded size.
 * `5m`, `1h`: that cache TTL. `no-pauses`: each request follows the previous one at once. `all-return`: without actions after the last request. `on
 * …`: at the prices of that model.
 */
export type Assumption = "as-set" | SizeAssumption | TermsAssumption;
type SizeAssumption = keyof typeof RECORDED_SUMMARIES;
export type TermsAssumption = "5m" | "1h" | "no-pauses" | "all-return" | `on ${string}`;

/** The smallest and the largest recorded summary that is known. Source: docs/method.md, "Simulating". */
export const RECORDED_SUMMARIES = { "small-summaries": 995, "large-summaries": 6143 } as const;

/** Requested metrics of replays: spending, in money and tokens, or re-fetches, which need a search of the texts. Other metrics are `null`. */
export type AskedMetrics = "spent" | "neededAgain" | "all";

/** The metrics that the advice metric of a query needs. */
export function metricsBy(by: AdvisedBy): Exclude<AskedMetrics, "all"> {
  return by === "neededAgain" ? by : "spent";
}

/** The query for every session: replays with the current settings, and with one setting varied. */
export interface ReplaysQuery extends Omit<ReplayRequest, keyof CostTerms>, CostTerms {
  readonly vary: readonly VaryRange[];
  readonly metrics: AskedMetrics;
  /** The first request that counts: earlier ones are inherited from another session, which counts them. */
  readonly from?: RequestIndex | undefined;
}

/** The parts of one replay that a query over sessions needs. */
export interface ReplayMetrics {
  readonly set: SweepSet;
  readonly compactions: number;
  /** True if a compaction came too soon after another or left too much. */
  readonly thrashes: boolean;
  readonly totals: {
    readonly requests: number;
    readonly peak: number;
    readonly tokensSent: number;
    readonly summaryCallTokens: number;
    readonly requestsOverWindow: number;
    readonly neededAgain: number | null;
    readonly neededAgainTokens: number | null;
    readonly costUsd: SimulatedCostUsd | null;
    readonly unpricedModels?: CostUsd["unpricedModels"];
  };
}

/** Replays of one session: under the current setting, and at the points of the sweep. */
export interface Replays {
  readonly current: ReplayMetrics;
  readonly swept: readonly ReplayMetrics[];
}

/** By assumption; an assumption that the query does not leave open is absent. */
export type ReplaysUnder = Readonly<Partial<Record<Assumption, Replays>>> & Readonly<Record<"as-set", Replays>>;

/**
 * Replays one session under the current setting and at every point of a sweep, under every assumption that the query leaves open. Each point is
 * replayed once per summary size; all other assumptions change only prices. Throws `ChoiceError` and `SettingError`.
 * @param beforeReplay is called before every replay
 * @param costs of replays of this session at the query's prices
 */
export function replaysUnder(
  query: ReplaysQuery,
  recording: Recording,
  prices: PriceList,
  beforeReplay: () => void = () => {},
  costs?: ReplayCosts,
): ReplaysUnder {
  const replaying = new Replaying(query, recording, prices, beforeReplay, costs);
  const current = replaying.at({});
  const swept = sweepPoints(query.vary).map((set) => replaying.at(set));
  const under = [...current.others].map(([assumption, now]) => {
    const points = swept.flatMap(({ others }) => others.get(assumption) ?? []);
    return [assumption, { current: now, swept: points }] as const;
  });
  const asSet = { current: current.asSet, swept: swept.map((point) => point.asSet) };
  return { ...Object.fromEntries(under), "as-set": asSet };
}

/**
 * One requested replay of a session. Throws `ChoiceError` and `SettingError`.
 * @param costs of replays of this session at the run's prices
 * @param from the first request that counts
 */
export function replayedAsSet(
  run: ReplayRequest,
  recording: Recording,
  prices: PriceList,
  beforeReplay: () => void = () => {},
  costs?: ReplayCosts,
  from: RequestIndex = 0,
): ReplayMetrics {
  return new Replaying({ ...run, vary: [], metrics: "all", from }, recording, prices, beforeReplay, costs).asSet({});
}

/** Costs of a session's replays under any policy: values that depend on the prices alone are computed once. */
export class SessionCosts {
  readonly #byTerms = new Map<string, ReplayCosts>();

  /** @param from the first request that counts */
  constructor(
    private readonly prices: PriceList,
    private readonly from: RequestIndex = 0,
  ) {}

  /** Throws `ChoiceError` for a model without a price. @param recording of that session, counted by any estimator */
  of({ ttl, on, priceDate }: CostTerms, recording: Recording): ReplayCosts {
    const key = JSON.stringify([ttl, on, priceDate]);
    const costs =
      this.#byTerms.get(key) ?? new ReplayCosts(recording, this.prices, { ttl, on, priceDate }, { from: this.from });
    this.#byTerms.set(key, costs);
    return costs;
  }
}

/** A cost under the assumption `all-return`, without the actions in the pause after the last request. Only the totals change, not the parts. */
function whereAllReturn(costUsd: SimulatedCostUsd): SimulatedCostUsd {
  const { total, low, high, pauses } = costUsd;
  const unused = pauses?.unusedUsd ?? 0;
  return { ...costUsd, total: total === null ? null : total - unused, low: low - unused, high: high - unused };
}

/** One point of a sweep: without assumptions, and under each assumption. */
interface PointUnder {
  readonly asSet: ReplayMetrics;
  readonly others: ReadonlyMap<Assumption, ReplayMetrics>;
}

/** One session that is replayed repeatedly. Work that no point changes is done once. */
class Replaying {
  readonly #prepared: PreparedPolicy;
  readonly #counting: RanReplay["counting"];
  readonly #costs: ReplayCosts;
  readonly #from: RequestIndex;
  #others: ReadonlyMap<TermsAssumption, ReplayCosts> | undefined;
  readonly #isSized: boolean;

  constructor(
    private readonly query: ReplaysQuery,
    private readonly recording: Recording,
    private readonly prices: PriceList,
    private readonly beforeReplay: () => void,
    costs?: ReplayCosts,
  ) {
    this.#counting = countingInForce(query, recording);
    const { settings = {}, vary } = query;
    this.#from = query.from ?? 0;
    this.#costs = costs ?? new ReplayCosts(recording, prices, this.#terms, { from: this.#from });
    this.#prepared = preparePolicy(query, recording, this.#costs);
    this.#isSized = Object.hasOwn(settings, "summaryTokens") || vary.some(({ key }) => key === "summaryTokens");
  }

  get #terms(): CostTerms {
    const { ttl, on, priceDate } = this.query;
    return { ttl, on, priceDate };
  }

  /** Costs of replays under each assumption. Another TTL or no pauses leave the prices of the requests unchanged. */
  #otherCosts(): ReadonlyMap<TermsAssumption, ReplayCosts> {
    const { recording, prices } = this;
    if (!this.#asksCosts) return new Map();
    const terms = this.#terms;
    const models = terms.on === undefined ? modelsWithOtherCacheShare(recording.columns.tables.models, prices) : [];
    const costsWith = (more: CostTerms, hasPauses = true) =>
      new ReplayCosts(recording, prices, { ...terms, ...more }, { hasPauses, like: this.#costs, from: this.#from });
    return new Map<TermsAssumption, ReplayCosts>([
      ...(terms.ttl === undefined ? (["5m", "1h"] as const).map((ttl) => [ttl, costsWith({ ttl })] as const) : []),
      ["no-pauses", costsWith({}, false)],
      ...models.map((on) => [`on ${on}`, costsWith({ on })] as const),
    ]);
  }

  /** A point without assumptions. */
  asSet(set: SweepSet): ReplayMetrics {
    return this.#metricsOf(set, this.#run(set));
  }

  /** A point under every assumption. */
  at(set: SweepSet): PointUnder {
    const ran = this.#run(set);
    const asSet = this.#metricsOf(set, ran);
    const others = new Map<Assumption, ReplayMetrics>();
    for (const [assumption, tokens] of Object.entries(RECORDED_SUMMARIES)) {
      // A replay without compactions has no summary, so its size does not matter.
      const of = () => this.#metricsOf(set, this.#run({ ...set, summaryTokens: tokens }));
      // `entries` loses the keys.
      if (!this.#isSized) others.set(assumption as SizeAssumption, ran.replay.compactions.length === 0 ? asSet : of());
    }
    this.#others ??= this.#otherCosts();
    for (const [assumption, costs] of this.#others) {
      // Without pauses, a policy cannot act in them.
      const under = assumption === "no-pauses" && this.#actsInPauses ? this.#run({ ...set, ...this.#noActs }) : ran;
      const costUsd = costs.of(under.prepared, under.replay);
      others.set(assumption, { ...asSet, totals: { ...asSet.totals, costUsd, ...costs.unpriced } });
    }
    const { costUsd } = asSet.totals;
    if (this.#actsInPauses && this.#asksCosts)
      others.set("all-return", { ...asSet, totals: { ...asSet.totals, costUsd: costUsd && whereAllReturn(costUsd) } });
    return { asSet, others };
  }

  /** True if some point of the query acts in pauses. */
  get #actsInPauses(): boolean {
    const { settings } = this.#prepared;
    const isOn = ["idleMinutes", "keepAliveMinutes"].some((key) => Number(settings[key] ?? 0) > 0);
    return isOn || this.query.vary.some(({ key }) => isPauseKey(key));
  }

  /** The policy's settings for acting in pauses, all 0. */
  get #noActs(): SweepSet {
    const keys = this.#prepared.specs.filter(({ key }) => key === "idleMinutes" || key === "keepAliveMinutes");
    return Object.fromEntries(keys.map(({ key }) => [key, 0]));
  }

  #run(set: SweepSet): RanReplay {
    this.beforeReplay();
    const settings = resolveSettings(this.#prepared.specs, { ...this.query.settings, ...set });
    const prepared = { ...this.#prepared, settings };
    const replay = replayPrepared(prepared, this.#counting, this.recording);
    return { prepared, replay, counting: this.#counting, recording: this.recording };
  }

  get #asksCosts(): boolean {
    return this.query.metrics !== "neededAgain";
  }

  /** The registry's other metrics are not requested, and there may be thousands of sessions. */
  #metricsOf(set: SweepSet, { prepared, replay }: RanReplay): ReplayMetrics {
    const cost = this.#asksCosts
      ? { costUsd: this.#costs.of(prepared, replay), ...this.#costs.unpriced }
      : { costUsd: null };
    const isRecording = isRecordedPolicy(prepared.policy);
    const asksRefetches = this.query.metrics !== "spent";
    const needed = asksRefetches ? refetchedOf(this.recording.columns, replay, isRecording, this.#from) : undefined;
    const compactions = replay.compactions.filter(({ request }) => request >= this.#from);
    const { requests, peak, tokensSent, summaryCallTokens, requestsOverWindow } = this.#totals(
      prepared,
      replay,
      compactions,
    );
    const sums = { requests, peak, tokensSent, summaryCallTokens, requestsOverWindow };
    return {
      set,
      compactions: withoutRefusals(compactions).length,
      thrashes: thrashes(compactions),
      totals: { ...sums, neededAgain: needed?.count ?? null, neededAgainTokens: needed?.tokens ?? null, ...cost },
    };
  }

  /** The totals of the requests that count. */
  #totals({ window }: PreparedPolicy, replay: Replay, compactions: Replay["compactions"]): ReplayTotals {
    if (this.#from === 0) return replay.totals;
    const summaryCallTokens = compactions.reduce((sum, one) => sum + one.summaryCallTokens, 0);
    return totalsOf({ ...replay, compactions, summaryCallTokens, window: windowToExceed(window) }, this.#from);
  }
}
