import type { RequestIndex, Tokens } from "../../base/units";
import type {
  Compaction,
  ContextView,
  Policy,
  PolicyContext,
  PolicyPlan,
  PolicyRun,
  PriceRatios,
  Retention,
} from "../policy/policy";
import { numberSetting, type SettingSpec } from "../policy/settings";
import { leftBy } from "../retention";
import { keptSettings, OwnRetention, ownNumber, ownSummarySettings } from "./own-retention";

/** Price ratios of most Claude models, for sessions whose models have no price. Source: docs/prices.md, "Sources of prices". */
const ASSUMED: PriceRatios = { write: 12.5, input: 10, output: 50 };

/**
 * Policy of no agent, without a threshold. Every request reads again the tokens that a compaction would have removed: that is the rent. The policy
 * compacts when the rent since the last compaction has reached the price of the next one. Without knowing the future, this costs at most about twice
 * as much as the hindsight optimum. Only the ratios of prices matter. Source: docs/method.md, "Rent to buy".
 */
export const rentToBuyPolicy: Policy = {
  id: "rent-to-buy",
  label: "Rent to buy",
  presets: ["default"],
  settings: rentToBuySettings,
  begin: (plan) => new RentToBuyRun(plan),
};

class RentToBuyRun implements PolicyRun {
  readonly #retention: OwnRetention;
  readonly #ratios: PriceRatios;
  readonly #summaryTokens: Tokens;
  /** The first request that pays rent: the one after the last summary call, or the first of all. */
  #from: RequestIndex = 0;
  /** First request with the context that the last compaction left; absent before the first compaction. */
  #compacted: RequestIndex | undefined;
  /** Rent so far. Before the first compaction an upper bound: all tokens read beyond the overhead. */
  #rent: Tokens = 0;

  constructor(plan: PolicyPlan) {
    const number = (key: string) => numberSetting(plan.settings, key);
    this.#retention = new OwnRetention(plan);
    this.#ratios = { write: number("writePrice"), input: number("inputPrice"), output: number("outputPrice") };
    this.#summaryTokens = number("summaryTokens");
  }

  before(view: ContextView): Compaction | undefined {
    const { request, history, window, overhead } = view;
    const left = this.#compacted === undefined ? overhead : (view.sent[this.#compacted] ?? 0);
    if (request > this.#from) this.#rent += Math.max(0, view.lastInput - left);
    const isOverflow = history > window;
    if (!isOverflow && !this.#isDue(view)) return undefined;
    const compaction = this.compact(view);
    this.#from = request;
    this.#rent = 0;
    if (compaction.outcome !== "failed") this.#compacted = request;
    return isOverflow ? { ...compaction, trigger: "overflow" } : compaction;
  }

  compact(view: ContextView): Retention {
    return this.#retention.of(view);
  }

  #isDue(view: ContextView): boolean {
    // The call alone costs this much: while the rent is less, nothing else needs to be computed.
    const call = this.#ratios.input * view.history + this.#ratios.output * this.#summaryTokens;
    if (this.#rent < call) return false;
    const { tokens, unchanged } = leftBy(view, this.#retention.succeeding(view));
    const price = call + Math.max(0, this.#ratios.write - 1) * (tokens - unchanged);
    return tokens < view.history && this.#rentOver(view, tokens) >= price;
  }

  /** Rent before the first compaction: the tokens read beyond the size that a compaction now would leave. */
  #rentOver({ request, sent }: ContextView, left: Tokens): Tokens {
    if (this.#compacted !== undefined) return this.#rent;
    let rent = 0;
    for (let before = this.#from; before < request; before++) rent += Math.max(0, (sent[before] ?? 0) - left);
    return rent;
  }
}

function rentToBuySettings(_preset: string, context: PolicyContext): readonly SettingSpec[] {
  const { write, input, output } = context.priceRatios ?? ASSUMED;
  const source = { kind: "ours", notes: [context.priceRatios === undefined ? "assumedPrices" : "listPrices"] } as const;
  const price = (key: string, label: string, max: number, byDefault: number): SettingSpec => {
    return { ...ownNumber(key, label, "reads", [0, max, 0.5], byDefault), source, decidesWhen: true };
  };
  return [
    price("writePrice", "Price of writing", 100, write),
    price("inputPrice", "Price of input", 100, input),
    price("outputPrice", "Price of output", 500, output),
    ...keptSettings(context),
    ...ownSummarySettings(context),
  ];
}
