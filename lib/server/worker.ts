import { workerData } from "node:worker_threads";
import { move, transferableSymbol, valueSymbol } from "piscina";
import { ADVISER } from "@/lib/core/advice/adviser";
import { answerQuery } from "@/lib/queries/answers/answer-query";
import { requirePolicy } from "@/lib/queries/session/session-context";
import { counters, workSince } from "./base/counters";
import { InputError } from "./base/input-error";
import { replaySession } from "./insights/session-replays";
import { BackgroundYield } from "./threads/answer-priority";
import { badChoiceOf } from "./threads/bad-choice";
import { LocalRunner } from "./threads/local-runner";
import { type PostedAnswer, type PostedTask, SCHEDULING, type TaskName } from "./threads/tasks";

/** The memory of an `AnswerPriority`, for threads that yield to answers. */
const shared: unknown = workerData;
const backgroundYield = shared instanceof SharedArrayBuffer ? new BackgroundYield(shared) : undefined;
const runner: LocalRunner = new LocalRunner(backgroundYield, {
  replays: (task) => replaySession(task, runner, () => backgroundYield?.yieldToAnswers()),
  advice: async ({ kind, sets, seed }) => ADVISER[kind](sets, seed),
  query: (task) => answerQuery(task, runner),
  checkPolicy: async ({ policy, seed }) => {
    const { checkPolicy } = await import("@/lib/policy-check/check-policy");
    return checkPolicy(requirePolicy(policy), seed);
  },
});

/** Runs a task of the pool, and moves large memory of its answer to the calling thread instead of copying it. Bundled to `dist/worker.mjs`. */
export async function work<Name extends TaskName>({ name, input, own }: PostedTask<Name>): Promise<PostedAnswer<Name>> {
  const before = { ...counters };
  try {
    if (own !== undefined) await (await import("./policies/own-policies")).registerPolicies(own);
    const value = await runner.run(name, input);
    const answer = { value, work: workSince(before) };
    const buffers = SCHEDULING[name]?.moved?.(value);
    return buffers === undefined ? answer : moved(answer, buffers);
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

function moved<Name extends TaskName>(
  answer: PostedAnswer<Name>,
  buffers: readonly ArrayBufferLike[],
): PostedAnswer<Name> {
  const transferable = { [transferableSymbol]: buffers, [valueSymbol]: answer };
  // The pool unwraps it: the calling thread receives the answer itself.
  return move(transferable) as unknown as PostedAnswer<Name>;
}
