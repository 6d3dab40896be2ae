import { createParser } from "nuqs";
import { useMemo } from "react";
import { policyById } from "@/lib/agents/policies";
import { useAddress } from "../state/use-address";
import { type AddedRun, MAX_ADDED, runsParser } from "./run-param";
import { FIXED_RUNS, RUN_STYLES } from "./run-style";

/** The letter of the run that differences are taken against. */
const baseParser = createParser<number>({
  parse: (text) => {
    const index = RUN_STYLES.findIndex(({ letter }) => letter === text);
    return index === -1 ? null : index;
  },
  serialize: (index) => RUN_STYLES[index]?.letter ?? "A",
}).withDefault(0);

/** What is compared besides the recording and the replay panel's policy, and which run is the base. */
export const COMPARE_PARSERS = { runs: runsParser, base: baseParser };

/** Whether the address names a policy that can be simulated. */
function isKnownRun({ policy }: AddedRun): boolean {
  return policy !== "recorded" && policyById(policy) !== undefined;
}

/** Where in the address the runs stand that are compared: it may also name policies that are not there. */
export function placesOfKnown(runs: readonly AddedRun[]): readonly number[] {
  return runs.flatMap((run, place) => (isKnownRun(run) ? [place] : [])).slice(0, MAX_ADDED);
}

/**
 * The base once a run of the comparison is taken out: the same run as before, under the letter that it then has; the recording where it was the run itself.
 * @param removed its place among all runs
 */
export function baseWithout(base: number, removed: number): number {
  if (base === removed) return 0;
  return base > removed ? base - 1 : base;
}

interface RunActions {
  /** As they stand in the address. */
  readonly runs: readonly AddedRun[];
  readonly canAdd: boolean;
  readonly add: (run: AddedRun) => void;
  readonly change: (index: number, run: AddedRun) => void;
  readonly remove: (index: number) => void;
}

/** The added runs as the address holds them, and how to change them. */
export function useAddedRuns(): RunActions {
  const [{ runs }, update] = useAddress(COMPARE_PARSERS);
  return useMemo(
    () => ({
      runs,
      canAdd: runs.length < MAX_ADDED,
      add: (run) => void update((last) => ({ runs: [...last.runs, run].slice(0, MAX_ADDED) })),
      change: (index, run) => void update((last) => ({ runs: last.runs.with(index, run) })),
      remove: (index) =>
        void update((last) => {
          const left = last.runs.toSpliced(index, 1);
          const removed = FIXED_RUNS + placesOfKnown(last.runs).indexOf(index);
          return { runs: left.length === 0 ? null : left, base: baseWithout(last.base, removed) };
        }),
    }),
    [runs, update],
  );
}
