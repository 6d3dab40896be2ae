import { workerData } from "node:worker_threads";
import { move, transferableSymbol, valueSymbol } from "piscina";
import type { StoredSession } from "@/lib/agents/session-database";
import { ADVISER, type AdviceTask } from "@/lib/core/advice/adviser";
import type { Ledger } from "@/lib/core/needs/ledger";
import type { CheckedInvariant } from "@/lib/policy-check/check-policy";
import type { WrittenPoints } from "@/lib/questions/replays/swept-rows";
import { requirePolicy } from "@/lib/questions/session/session-context";
import { type Counters, counters, workSince } from "./base/counters";
import { type FormatOffer, InputError, type InputErrorCode } from "./base/input-error";
import { replaySession } from "./insights/session-replays";
import type { BroughtPolicies } from "./policies/own-policies";
import { answerQuestion } from "./questions/answer-question";
import type { HeadFacts } from "./read/head";
import type { MeasuresByPolicy } from "./read/numbers/measures";
import type { ContextTexts } from "./read/texts/context-messages";
import { placesMemory } from "./read/texts/item-places";
import type { FoundRows } from "./read/texts/text-search";
import { type BadChoice, badChoiceOf } from "./threads/bad-choice";
import { LocalRunner } from "./threads/local-runner";
import { GivingWay } from "./threads/right-of-way";
import type {
  ContextTask,
  CountTask,
  DatabaseTask,
  HeadTask,
  IngestAnswer,
  IngestTask,
  ItemsTask,
  LedgerTask,
  MeasureTask,
  SearchTask,
  SessionQuestionTask,
  SessionReplays,
  SessionReplaysTask,
  SweepTask,
} from "./threads/tasks";

/** What a thread of the pool runs; bundled to `dist/worker.mjs`. Errors cross threads as values, since a thrown one loses its class on the way. */
export interface WorkerAnswer<T> {
  readonly value?: T;
  readonly refusal?: {
    readonly code: InputErrorCode;
    readonly message: string;
    readonly formats: readonly FormatOffer[];
    readonly program?: string | undefined;
  };
  readonly badChoice?: BadChoice;
  /** Work done by this task. */
  readonly work: Counters;
}

/** The memory of a `RightOfWay`, for threads that give way. */
const shared: unknown = workerData;
const way = shared instanceof SharedArrayBuffer ? new GivingWay(shared) : undefined;
const runner = new LocalRunner(way);

export function ingest(task: IngestTask): Promise<WorkerAnswer<IngestAnswer>> {
  return answered(
    () => runner.ingest(task),
    ({ columns, places }) => [columns.buffer, ...placesMemory(places)],
  );
}

export function head(task: HeadTask): Promise<WorkerAnswer<HeadFacts>> {
  return answered(() => runner.head(task));
}

export function database(task: DatabaseTask): Promise<WorkerAnswer<readonly StoredSession[]>> {
  return answered(() => runner.database(task));
}

export function count(task: CountTask): Promise<WorkerAnswer<Int32Array>> {
  // The runner may keep the tokens for when the file has grown, so they are copied.
  return answered(() => runner.count(task));
}

export function measure(task: MeasureTask): Promise<WorkerAnswer<MeasuresByPolicy>> {
  return answered(() => runner.measure(task));
}

export function ledger(task: LedgerTask): Promise<WorkerAnswer<Ledger>> {
  return answered(() => runner.ledger(task));
}

export function items(task: ItemsTask): Promise<WorkerAnswer<Uint8Array>> {
  return answered(
    () => runner.items(task),
    (json) => [json.buffer],
  );
}

export function search(task: SearchTask): Promise<WorkerAnswer<FoundRows>> {
  return answered(() => runner.search(task));
}

export function context(task: ContextTask): Promise<WorkerAnswer<ContextTexts>> {
  return answered(() => runner.context(task));
}

export function sweep(task: SweepTask & Bringing): Promise<WorkerAnswer<WrittenPoints>> {
  return answered(
    () => withPolicies(task, () => runner.sweep(task)),
    ({ tradeOff }) => tradeOff.map(({ buffer }) => buffer),
  );
}

export function replays(task: SessionReplaysTask & Bringing): Promise<WorkerAnswer<SessionReplays>> {
  return answered(() => withPolicies(task, () => replaySession(task, runner, () => way?.giveWay())));
}

export function advice({ kind, asked, seed }: AdviceTask): Promise<WorkerAnswer<unknown>> {
  return answered<unknown>(() => ADVISER[kind](asked, seed));
}

export function question(task: SessionQuestionTask & Bringing): Promise<WorkerAnswer<unknown>> {
  return answered(() => withPolicies(task, () => answerQuestion(task, runner)));
}

export function checkPolicy(
  task: { policy: string; seed: number } & Bringing,
): Promise<WorkerAnswer<readonly CheckedInvariant[]>> {
  return answered(() =>
    withPolicies(task, async () => {
      const { checkPolicy: check } = await import("@/lib/policy-check/check-policy");
      return check(requirePolicy(task.policy), task.seed);
    }),
  );
}

/** The policies that a task of the pool was sent with. */
interface Bringing {
  readonly own?: BroughtPolicies;
}

async function withPolicies<T>({ own }: Bringing, work: () => Promise<T>): Promise<T> {
  if (own !== undefined) await (await import("./policies/own-policies")).bringPolicies(own);
  return work();
}

/** Does the task and moves its large buffers to the asking thread instead of copying them. */
async function answered<T>(
  work: () => Promise<T>,
  buffersOf?: (value: T) => ArrayBufferLike[],
): Promise<WorkerAnswer<T>> {
  const before = { ...counters };
  try {
    const value = await work();
    const answer = { value, work: workSince(before) };
    return buffersOf === undefined ? answer : moved(answer, buffersOf(value));
  } catch (error) {
    if (error instanceof InputError) {
      const { code, message, formats, program } = error;
      return { refusal: { code, message, formats, program }, work: workSince(before) };
    }
    const badChoice = badChoiceOf(error);
    if (badChoice !== undefined) return { badChoice, work: workSince(before) };
    throw error;
  }
}

function moved<T>(answer: WorkerAnswer<T>, buffers: readonly ArrayBufferLike[]): WorkerAnswer<T> {
  const transferable = { [transferableSymbol]: buffers, [valueSymbol]: answer };
  // The pool unwraps it: the asking thread receives the answer itself.
  return move(transferable) as unknown as WorkerAnswer<T>;
}
