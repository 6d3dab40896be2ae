import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { type SweepInput, sweepAll } from "@/lib/queries/answers/sweep";
import { counters } from "../base/counters";
import { OpenedSession } from "../sessions/opened-session";
import { builtProgram } from "../testing/bundles";
import { AnswerPriority, BackgroundYield } from "./answer-priority";
import { PoolRunner } from "./pool";

const root = builtProgram();
const NAME = "claude-code-duplicate-shipments.jsonl";
const POINTS = 6;
const SWEEP = {
  policy: "custom",
  vary: [{ key: "triggerShare", from: 0.4, to: 0.9, step: 0.1 }],
} as const;

/** An answer that is pending until `give` or `fail` is called. */
function heldAnswer(priority: AnswerPriority, signal?: AbortSignal) {
  const ends = { give: (_answer: string) => {}, fail: (_error: Error) => {} };
  const promise = new Promise<string>((give, fail) => Object.assign(ends, { give, fail }));
  return { given: priority.run(() => promise, signal), ...ends };
}

/** A clock that advances only during sleeps. */
class SleptClock {
  /** The maximum length of each sleep. */
  readonly slept: number[] = [];
  #ms = 0;

  /**
   * @param whileAsleep called during a sleep; it returns how many milliseconds of it have passed
   */
  constructor(private readonly whileAsleep: (atMost: number) => number = (atMost) => atMost) {}

  readonly now = () => this.#ms;
  readonly sleep = (_cell: Int32Array, _value: number, atMost: number) => {
    this.slept.push(atMost);
    this.#ms += this.whileAsleep(atMost);
  };

  pass(ms: number): void {
    this.#ms += ms;
  }
}

describe("pending answers", () => {
  it("are counted until they arrive, fail, or are aborted", async () => {
    const priority = new AnswerPriority();
    const gone = new AbortController();
    const [good, bad, unwanted] = [heldAnswer(priority), heldAnswer(priority), heldAnswer(priority, gone.signal)];
    expect(priority.answers).toBe(3);
    good.give("answer");
    expect(await good.given).toBe("answer");
    expect(priority.answers).toBe(2);
    bad.fail(new Error("no"));
    await expect(bad.given).rejects.toThrow("no");
    expect(priority.answers).toBe(1);
    gone.abort();
    expect(priority.answers).toBe(0);
    unwanted.give("late");
    expect(await unwanted.given).toBe("late");
    expect(priority.answers).toBe(0);
  });

  it("do not count if the caller had already left", async () => {
    const priority = new AnswerPriority();
    const unwanted = heldAnswer(priority, AbortSignal.abort());
    expect(priority.answers).toBe(0);
    unwanted.give("");
    await unwanted.given;
    expect(priority.answers).toBe(0);
  });

  it("do not count if they throw synchronously", async () => {
    const priority = new AnswerPriority();
    const thrown = priority.run(() => {
      throw new Error("at once");
    });
    await expect(thrown).rejects.toThrow("at once");
    expect(priority.answers).toBe(0);
  });

  it("wake paused threads when the last of them arrives", async () => {
    const priority = new AnswerPriority();
    const [one, other] = [heldAnswer(priority), heldAnswer(priority)];
    // It sleeps without a limit: nothing but being woken ends it.
    const code = `const { parentPort, workerData } = require("node:worker_threads");
      const answers = new Int32Array(workerData);
      parentPort.postMessage("waits");
      for (let now = 2; now > 0; now = Atomics.load(answers, 0)) Atomics.wait(answers, 0, now);
      parentPort.postMessage("continues");`;
    const thread = new Worker(code, { eval: true, workerData: priority.memory });
    const messages: string[] = [];
    const messageOf = (words: string) =>
      new Promise<void>((resolve) =>
        thread.on("message", (message) => {
          messages.push(String(message));
          if (message === words) resolve();
        }),
      );
    await messageOf("waits");
    const continued = messageOf("continues");
    one.give("");
    await one.given;
    expect(messages).not.toContain("continues");
    other.give("");
    await continued;
    await thread.terminate();
  });
});

describe("a background thread", () => {
  it("does not pause if no caller waits", () => {
    const clock = new SleptClock();
    const before = counters.backgroundPauses;
    new BackgroundYield(new AnswerPriority().memory, clock).yieldToAnswers();
    expect([clock.slept, counters.backgroundPauses - before]).toEqual([[], 0]);
  });

  it("continues as soon as the pending answer arrives", () => {
    const priority = new AnswerPriority();
    const cell = new Int32Array(priority.memory);
    void heldAnswer(priority);
    // Another query comes while it sleeps, then both are answered.
    const later = [2, 0];
    const clock = new SleptClock(() => {
      Atomics.store(cell, 0, later.shift() ?? 0);
      return 10;
    });
    new BackgroundYield(priority.memory, clock).yieldToAnswers();
    expect(clock.slept).toEqual([100, 90]);
  });

  it("pauses for at most 100 ms, then works for a ninth of that time, however long a caller waits", () => {
    const priority = new AnswerPriority();
    void heldAnswer(priority);
    const clock = new SleptClock();
    const giving = new BackgroundYield(priority.memory, clock);
    giving.yieldToAnswers();
    expect(clock.slept).toEqual([100]);
    for (let worked = 0; worked < 11; worked++) {
      giving.yieldToAnswers();
      clock.pass(1);
    }
    expect(clock.slept).toEqual([100]);
    clock.pass(1);
    giving.yieldToAnswers();
    expect(clock.slept).toEqual([100, 100]);
  });
});

/** The rows of a sweep by threads that yield, and the number of their pauses. */
async function swept(priority: AnswerPriority): Promise<{ rows: number; backgroundPauses: number }> {
  const runner = new PoolRunner(root, { background: true, answerPriority: priority });
  const before = counters.backgroundPauses;
  const input: SweepInput = {
    id: NAME,
    use: async (work) => {
      const path = `public/samples/${NAME}`;
      return work(new OpenedSession(path, await runner.run("ingest", { path, name: NAME }), runner));
    },
  };
  let rows = 0;
  for await (const { result } of sweepAll([input], SWEEP, runner))
    rows += result instanceof Error ? 0 : [...result].length;
  await runner.close();
  return { rows, backgroundPauses: counters.backgroundPauses - before };
}

describe("the threads of a sweep", () => {
  it("never pause without a pending answer", async () => {
    expect(await swept(new AnswerPriority())).toEqual({ rows: POINTS, backgroundPauses: 0 });
  });

  it("pause during a pending answer, and finish even if it never arrives", async () => {
    const priority = new AnswerPriority();
    void heldAnswer(priority);
    const { rows, backgroundPauses } = await swept(priority);
    expect(rows).toBe(POINTS);
    expect(backgroundPauses).toBeGreaterThan(0);
  });
});
