import { createParser } from "nuqs";
import { useMemo } from "react";
import { useAddress } from "../state/use-address";
import { type AddedRun, MAX_ADDED, runsParser } from "./run-param";
import { RUN_STYLES } from "./run-style";

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

export interface RunActions {
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
          return { runs: left.length === 0 ? null : left, base: null };
        }),
    }),
    [runs, update],
  );
}
