import { createParser, parseAsArrayOf } from "nuqs";
import { useMemo } from "react";
import { policyById } from "@/lib/agents/policies";
import type { Schedule } from "@/lib/core/compaction/policies/scheduled";
import type { SettingValue } from "@/lib/core/compaction/policy/settings";
import { lastingName } from "@/lib/core/compaction/preset-names";
import type { ReplayChoice } from "../state/replay-choice";
import { parseSetting } from "../state/url-state";
import { useAddress } from "../state/use-address";
import { FIXED_RUNS, RUN_STYLES } from "./run-style";

/** An added run of the comparison, as in the address: only differences from the policy's defaults. */
export interface AddedRun {
  readonly policy: string;
  readonly preset: string | null;
  readonly window: number | null;
  readonly settings: Readonly<Record<string, SettingValue>>;
  /** Schedule: its own rule, or the hindsight optimum. */
  readonly schedule: Schedule;
}

/** Maximum number of added runs: the recording and the replay panel's policy are the first two of six. */
export const MAX_ADDED = 4;

/** The names of the window and of the schedule among the settings; no policy has settings of these names. */
const [WINDOW_KEY, SCHEDULE_KEY] = ["window", "schedule"];

/** The run for a choice, by its own rule: only differences from the defaults. */
export function runOf({ policy, preset, window, defaultWindow, settings, changed }: ReplayChoice): AddedRun {
  return {
    policy: policy.id,
    preset: lastingName(policy, preset),
    window: window.tokens === defaultWindow ? null : window.tokens,
    settings: Object.fromEntries(Object.entries(settings).filter(([key]) => changed.has(key))),
    schedule: "own",
  };
}

/** A run as text, in the command line's words: `codex@current,autoCompactLimit=180000,window=258400,schedule=best`. */
export function runText({ policy, preset, window, settings, schedule }: AddedRun): string {
  const head = preset === null ? policy : `${policy}@${preset}`;
  const set = Object.entries(settings).filter(([, value]) => value !== null);
  const all = [
    ...set,
    ...(window === null ? [] : [[WINDOW_KEY, window] as const]),
    ...(schedule === "own" ? [] : [[SCHEDULE_KEY, schedule] as const]),
  ];
  return [head, ...all.map(([key, value]) => `${key}=${value}`)].join(",");
}

/** The run in a text; `null` if there is none. Settings that the policy does not take are ignored when the run is used. */
export function parseRun(text: string): AddedRun | null {
  const [head = "", ...parts] = text.split(",");
  const [policy = "", preset = null] = head.split("@");
  if (policy === "") return null;
  const pairs = parts.flatMap((part) => {
    const at = part.indexOf("=");
    return at < 1 ? [] : [[part.slice(0, at), parseSetting(part.slice(at + 1))] as const];
  });
  const { [WINDOW_KEY]: window, [SCHEDULE_KEY]: schedule, ...settings } = Object.fromEntries(pairs);
  return {
    policy,
    preset,
    window: typeof window === "number" ? window : null,
    settings,
    schedule: schedule === "best" ? "best" : "own",
  };
}

const runParser = createParser<AddedRun>({
  parse: parseRun,
  serialize: runText,
  eq: (a, b) => runText(a) === runText(b),
});

/** The added runs in the address, separated by `~`. */
export const runsParser = parseAsArrayOf(runParser, "~").withDefault([]);

/** The letter of the run that differences are relative to. */
const baseParser = createParser<number>({
  parse: (text) => {
    const index = RUN_STYLES.findIndex(({ letter }) => letter === text);
    return index === -1 ? null : index;
  },
  serialize: (index) => RUN_STYLES[index]?.letter ?? "A",
}).withDefault(0);

/** The compared runs besides the recording and the replay panel's policy, and the base. */
export const COMPARE_PARSERS = { runs: runsParser, base: baseParser };

/** True if the address names a policy that can be simulated. */
function isKnownRun({ policy }: AddedRun): boolean {
  return policy !== "recorded" && policyById(policy) !== undefined;
}

/** Indexes in the address of the compared runs: it may also name unknown policies. */
export function placesOfKnown(runs: readonly AddedRun[]): readonly number[] {
  return runs.flatMap((run, place) => (isKnownRun(run) ? [place] : [])).slice(0, MAX_ADDED);
}

/**
 * The base after a run was removed from the comparison: the same run under its new letter, or the recording if the base itself was removed.
 * @param removed its index among all runs
 */
export function baseWithout(base: number, removed: number): number {
  if (base === removed) return 0;
  return base > removed ? base - 1 : base;
}

interface RunActions {
  /** As they are in the address. */
  readonly runs: readonly AddedRun[];
  readonly canAdd: boolean;
  readonly add: (run: AddedRun) => void;
  readonly change: (index: number, run: AddedRun) => void;
  readonly remove: (index: number) => void;
}

/** The added runs in the address, and functions to change them. */
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
