import { sweepPoints } from "@/lib/core/analysis/grid";
import type { ContextProfile } from "@/lib/core/context/profile";
import { entriesOf, type Prices } from "@/lib/core/prices/prices";
import type { CostTerms } from "@/lib/queries/cost/cost-terms";
import type { SweepPlan } from "@/lib/queries/replays/sweep";
import { sweepRows, type WrittenPoints } from "@/lib/queries/replays/swept-rows";
import { inOrder } from "@/lib/server/base/in-order";
import { usablePrices } from "@/lib/server/base/prices";
import type { OpenedSession } from "@/lib/server/sessions/opened-session";
import type { TaskRunner } from "@/lib/server/threads/tasks";
import { replayRecording } from "./session-answers";

/** A requested sweep, with its estimator; default: the own estimator of each recording's agent. */
export interface SweepQuery extends SweepPlan, CostTerms {
  readonly estimator?: string | undefined;
  /** Default: list prices. */
  readonly prices?: Prices | undefined;
}

/** Work on an open recording, with the context profile in force for it. */
type SweepWork<T> = (session: OpenedSession, profile?: ContextProfile) => Promise<T>;

/** One unread recording of a sweep. */
export interface SweepInput {
  readonly id: string;
  /** Opens the recording and does the work. Rejects with `InputError`. */
  readonly use: <T>(work: SweepWork<T>) => Promise<T>;
}

interface SweepListener {
  /** Called when `count` more replays are done. */
  readonly onReplays?: (count: number) => void;
  /** Ends the sweep: no further task starts. */
  readonly signal?: AbortSignal | undefined;
}

/** The rows of one recording, each as JSON, or the reason for their absence. */
export interface SweptInput {
  readonly id: string;
  readonly result: Iterable<string> | Error;
}

/** Replays × items of one task: a few tenths of a second, for visible progress and quick cancellation. */
const TASK_ITEMS = 1_000_000;

/**
 * Sweeps recordings, a few at a time, in the given order. Each is read and counted once; the runner's threads replay its points. Throws
 * `SettingError` at once for invalid ranges.
 */
export function sweepAll(
  inputs: readonly SweepInput[],
  query: SweepQuery,
  runner: TaskRunner,
  listener: SweepListener = {},
): AsyncGenerator<SweptInput> {
  const points = sweepPoints(query.vary).length;
  return swept(inputs, points, query, runner, listener);
}

async function* swept(
  inputs: readonly SweepInput[],
  points: number,
  query: SweepQuery,
  runner: TaskRunner,
  listener: SweepListener,
): AsyncGenerator<SweptInput> {
  const work = async ({ id, use }: SweepInput): Promise<SweptInput> => {
    let done = 0;
    const count = (more: number) => {
      done += more;
      listener.onReplays?.(more);
    };
    try {
      listener.signal?.throwIfAborted();
      const one = { ...listener, onReplays: count };
      return { id, result: await use((...opened) => sweepOne(opened, points, query, runner, one)) };
    } catch (error) {
      // Missing replays of a failed recording count as done, so that progress reaches its end.
      count(points - done);
      return { id, result: error instanceof Error ? error : new Error(String(error)) };
    }
  };
  for await (const one of inOrder(inputs, work)) {
    if (listener.signal?.aborted) return;
    // `work` returns its failures; only a bug in this program arrives as a bare error.
    if (one instanceof Error) throw one;
    yield one;
  }
}

async function sweepOne(
  [session, profile]: readonly [OpenedSession, (ContextProfile | undefined)?],
  points: number,
  { estimator, ttl, on, priceDate, prices: given = usablePrices(), ...plan }: SweepQuery,
  runner: TaskRunner,
  listener: SweepListener,
): Promise<Iterable<string>> {
  const recording = await replayRecording(session, { ...plan, estimator }, profile);
  const costTerms = { ttl, on, priceDate };
  const prices = entriesOf([...recording.columns.tables.models, ...(on === undefined ? [] : [on])], given);
  const size = Math.max(1, Math.floor(TASK_ITEMS / Math.max(1, recording.columns.length)));
  const ranges = Array.from({ length: Math.ceil(points / size) }, (_, index) => ({
    from: index * size,
    to: Math.min(points, (index + 1) * size),
  }));
  const { file } = session.summary;
  const parts: WrittenPoints[] = [];
  const work = async (range: (typeof ranges)[number]): Promise<WrittenPoints> => {
    listener.signal?.throwIfAborted();
    const part = await runner.run("sweep", { plan, file, recording, prices, costTerms, ...range });
    listener.onReplays?.(part.rows.length);
    return part;
  };
  for await (const part of inOrder(ranges, work)) {
    if (part instanceof Error) throw part;
    parts.push(part);
  }
  return sweepRows(parts, plan.spent);
}
