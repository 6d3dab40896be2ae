import { profileOf } from "@/lib/agents/registry";
import type { MessageMeasures } from "@/lib/agents/shared/server-profile";
import type { WrittenBy } from "@/lib/core/context/recording";
import type { RefetchIndexBuilder } from "@/lib/core/refetch/index-builder";
import { isSizeEstimator } from "@/lib/core/tokens/estimator";
import type { ItemEstimator } from "@/lib/core/tokens/item-estimator";
import { ownEstimator } from "@/lib/queries/accuracy/own-estimator";
import { eachMessage, type LoadedFile, type Pass, together } from "../texts/each-message";
import { countingPass, measuringPass } from "./count-items";
import { estimatorOf } from "./estimators";
import { measuresOf } from "./measures";
import { refetchPass, resultTextOf } from "./refetches";

/** Counting and measuring rules of a session's own agent. */
interface OwnRules {
  /** The estimator, if it needs texts. */
  readonly estimators: ReadonlyMap<string, ItemEstimator>;
  /** The measures of its policy, if it has any. */
  readonly measures: ReadonlyMap<string, MessageMeasures>;
  /** See `resultTextOf`. */
  readonly resultText: ((text: string) => string) | undefined;
}

/** Results of a session's texts under its own agent's rules. */
export interface OwnNumbers {
  /** Tokens of every item, by estimator. */
  readonly tokens: ReadonlyMap<string, Int32Array>;
  /** Measures of every item, by policy. */
  readonly measures: ReadonlyMap<string, Record<string, Int32Array>>;
  /** The numbers of every text except its identifiers: the index keeps no score of these. */
  readonly needs: RefetchIndexBuilder;
}

export async function ownRules(session: WrittenBy): Promise<OwnRules> {
  const id = ownEstimator(session);
  const policy = profileOf(session.agent)?.id;
  const measures = policy === undefined ? undefined : await measuresOf(policy);
  return {
    estimators: new Map(isSizeEstimator(id) ? [] : [[id, await estimatorOf(id)]]),
    measures: new Map(policy === undefined || measures === undefined ? [] : [[policy, measures]]),
    resultText: await resultTextOf(session.agent),
  };
}

/** All index facts from texts, in one pass over the file. Throws `InputError` if the file has changed. */
export function ownNumbers(loaded: LoadedFile, { estimators, measures, resultText }: OwnRules): OwnNumbers {
  const { transcript } = loaded;
  const counting = mapped(estimators, (rule) => countingPass(transcript, rule));
  const measuring = mapped(measures, (rule) => measuringPass(transcript, rule));
  const needs = refetchPass(transcript, resultText);
  eachMessage(loaded, together([...counting.values(), ...measuring.values(), needs]));
  const result = <Result>(pass: Pass<Result>) => pass.result();
  return { tokens: mapped(counting, result), measures: mapped(measuring, result), needs: needs.result() };
}

function mapped<Key, From, To>(all: ReadonlyMap<Key, From>, change: (one: From) => To): Map<Key, To> {
  return new Map(Array.from(all, ([key, one]) => [key, change(one)]));
}
