import fc from "fast-check";
import { GENERAL_ESTIMATORS } from "@/lib/agents/general-estimators";
import { SERVER_PROFILES } from "@/lib/agents/registry";
import type { MessageMeasures } from "@/lib/agents/shared/server-profile";
import type { ItemEstimator } from "@/lib/core/tokens/item-estimator";
import { exactCounter } from "./counter";
import { type Sampling, seedOf } from "./varied-settings";

/** Every estimator with each of its presets: first the general ones, then the agents'. */
async function everyEstimator(): Promise<readonly ItemEstimator[]> {
  const ofAgents = Object.values(SERVER_PROFILES).flatMap(({ estimators = {} }) => Object.values(estimators));
  const entries = [...Object.values(GENERAL_ESTIMATORS), ...ofAgents];
  const counters = async () => exactCounter;
  return Promise.all(
    entries.flatMap(({ presets, load }) =>
      (presets.length === 0 ? [""] : presets).map((preset) => load({ preset, model: undefined, counters })),
    ),
  );
}

let known: Promise<readonly ItemEstimator[]> | undefined;

/** One of all estimators, selected by the seed: always the same one for the same recording. */
export async function anyEstimator(of: string, { seed }: Sampling): Promise<ItemEstimator> {
  known ??= everyEstimator();
  const [estimator] = fc.sample(fc.constantFrom(...(await known)), { numRuns: 1, seed: seedOf(`any ${seed} ${of}`) });
  if (estimator === undefined) throw new Error("no estimator was chosen");
  return estimator;
}

/** The measures of all agents together: each agent uses names of its own. */
export async function everyMeasure(): Promise<MessageMeasures> {
  const loaded = await Promise.all(Object.values(SERVER_PROFILES).map(({ measures }) => measures?.()));
  const all = loaded.filter((measures) => measures !== undefined);
  return (...of) => Object.assign({}, ...all.map((measures) => measures(...of)));
}
