import { assert } from "@/lib/core/base/assert";
import { isMember } from "@/lib/core/columns/membership";
import { countedBySize } from "@/lib/core/columns/token-columns";
import type { Policy, PolicyChosen, SyntheticItem } from "@/lib/core/compaction/policy/policy";
import { type CountingMode, type Replay, replay } from "@/lib/core/compaction/replay";
import { trajectoryOf } from "@/lib/core/compaction/simulation/trajectory";
import { drawColumns } from "@/lib/core/testing/draw";
import { relabelled } from "@/lib/core/testing/policies";
import { watched } from "@/lib/core/testing/sent-contexts";

/** A generated session, and the inputs of its replay. */
export interface GeneratedRun extends PolicyChosen {
  readonly drawing: string;
  readonly counting: CountingMode;
}

/** From a window in which nearly everything compacts to one in which nothing does. */
export const GENERATED_WINDOWS = [300, 1000, 5000, 40_000, 1_000_000] as const;

/** Replays a fresh copy of the session under a policy. */
export function replayed({ drawing, preset, window, counting, settings }: GeneratedRun, policy: Policy) {
  const columns = drawColumns(drawing);
  const run = replay(countedBySize(columns, "bytes-4"), policy, settings, { preset, window, counting });
  return { columns, run };
}

/** An invariant of every policy, built-in or the user's, on any session with any settings. */
export interface PolicyInvariant {
  /** Its wording after the policy's name. */
  readonly name: string;
  /** Number of generated sessions. */
  readonly runs: number;
  /** Throws if it does not hold; returns the replay. */
  readonly holds: (policy: Policy, given: GeneratedRun) => Replay;
}

/** Everything in a replay except the labels of added items, as one text. */
function numbersOf({ compactions, added, ...run }: Replay): string {
  const nameless = ({ kind, name, role, tokens, files }: SyntheticItem) => ({ kind, name, role, tokens, files });
  const numbers = {
    ...run,
    added: added.map(({ item, ...rest }) => ({ ...rest, ...nameless(item) })),
    compactions: compactions.map((one) => [
      ...[one.request, one.trigger, one.outcome, one.tokensBefore, one.tokensAfter, one.cleared, one.truncated],
      one.added.map(nameless),
    ]),
  };
  return JSON.stringify(numbers, (_key, value: unknown) => (ArrayBuffer.isView(value) ? String(value) : value));
}

function agrees(policy: Policy, given: GeneratedRun): Replay {
  // The engine itself asserts the rules for a retention.
  const { run } = replayed(given, policy);
  for (const [point, context] of run.context.entries()) {
    const parts = run.byCategory.reduce((sum, column) => sum + (column[point] ?? 0), 0);
    assert(
      parts + (run.unattributed[point] ?? 0) === context,
      `the parts of the context at request ${point} to sum up to it`,
    );
    assert(context >= 0, `a context of 0 or more at request ${point}`);
  }
  const clears = run.compactions.some(({ outcome, cleared }) => outcome === "clear" || cleared.length > 0);
  const shortens = run.compactions.some(({ outcome, truncated }) => outcome === "trim" && truncated.length > 0);
  if (clears || shortens) {
    assert(policy.looksBack?.(given) === true, "looksBack to be true, since it clears or shortens older results");
  }
  const sent = run.context.reduce((sum, context) => sum + context, 0);
  assert(run.totals.tokensSent === sent, "the tokens sent to be the sum of the contexts");
  return run;
}

function repeats(policy: Policy, given: GeneratedRun): Replay {
  const { run } = replayed(given, policy);
  assert(numbersOf(replayed(given, policy).run) === numbersOf(run), "the same replay to come to the same");
  return run;
}

function ignoresLabels(policy: Policy, given: GeneratedRun): Replay {
  const { run } = replayed(given, policy);
  let number = 0;
  const other = relabelled(policy, () => `label ${number++}`);
  assert(numbersOf(replayed(given, other).run) === numbersOf(run), "other labels of added items to change nothing");
  return run;
}

function sendsItsMembers(policy: Policy, given: GeneratedRun): Replay {
  const { policy: seen, sent } = watched(policy);
  const { columns, run } = replayed({ ...given, counting: "estimate" }, seen);
  const { entered, takenBack } = trajectoryOf(columns);
  const taken = new Set([...takenBack.values()].flat());
  const rows = Array.from({ length: columns.length }, (_, row) => row).slice(columns.overheadRows);
  for (const [request, list] of sent.entries()) {
    const there = new Set(list.map(([item]) => item));
    const added = run.added.flatMap(({ entered: from, dropped: to }, at) =>
      from <= request && request < to ? [columns.length + at] : [],
    );
    const members = rows.filter((row) => isMember(run, row, request));
    const items = list.map(([item]) => item).sort((one, other) => one - other);
    assert(
      String(items) === String([...members, ...added]),
      `request ${request} to send its members, none of them dropped before`,
    );
    // Exception: a result that came after a compaction had already dropped its call.
    const alone = members.filter((row) => {
      const call = columns.pair[row] ?? -1;
      if (call < 0 || call > row || there.has(call) || taken.has(call)) return false;
      return (entered[row] ?? 0) <= (run.dropped[call] ?? 0);
    });
    assert(alone.length === 0, `request ${request} to send no result without the call that it had`);
  }
  return run;
}

export const POLICY_INVARIANTS: readonly PolicyInvariant[] = [
  { name: "breaks no rule of the engine, and its metrics agree with each other", runs: 200, holds: agrees },
  { name: "gives the same result for the same session read again", runs: 20, holds: repeats },
  { name: "decides nothing by the label of an item", runs: 20, holds: ignoresLabels },
  {
    name: "sends exactly its members, never brings back what it dropped, and keeps no result without the call that it had",
    runs: 50,
    holds: sendsItsMembers,
  },
];
