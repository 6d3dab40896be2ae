import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { type SweepInput, sweepAll } from "@/lib/queries/answers/sweep";
import { counters } from "../base/counters";
import { OpenedSession } from "../sessions/opened-session";
import { builtProgram } from "../testing/bundles";
import { PoolRunner } from "./pool";
import { GivingWay, RightOfWay } from "./right-of-way";

const root = builtProgram();
const NAME = "claude-code-duplicate-shipments.jsonl";
const POINTS = 6;
const QUESTION = {
  policy: "custom",
  vary: [{ key: "triggerShare", from: 0.4, to: 0.9, step: 0.1 }],
} as const;

/** An answer that is pending until `give` or `fail` is called. */
function heldAnswer(way: RightOfWay, signal?: AbortSignal) {
  const ends = { give: (_answer: string) => {}, fail: (_error: Error) => {} };
  const promise = new Promise<string>((give, fail) => Object.assign(ends, { give, fail }));
  return { given: way.before(() => promise, signal), ...ends };
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
  it("are counted until they arrive, fail, or are no longer wanted", async () => {
    const way = new RightOfWay();
    const gone = new AbortController();
    const [good, bad, unwanted] = [heldAnswer(way), heldAnswer(way), heldAnswer(way, gone.signal)];
    expect(way.answers).toBe(3);
    good.give("answer");
    expect(await good.given).toBe("answer");
    expect(way.answers).toBe(2);
    bad.fail(new Error("no"));
    await expect(bad.given).rejects.toThrow("no");
    expect(way.answers).toBe(1);
    gone.abort();
    expect(way.answers).toBe(0);
    unwanted.give("late");
    expect(await unwanted.given).toBe("late");
    expect(way.answers).toBe(0);
  });

  it("do not count if the caller has left before", async () => {
    const way = new RightOfWay();
    const unwanted = heldAnswer(way, AbortSignal.abort());
    expect(way.answers).toBe(0);
    unwanted.give("");
    await unwanted.given;
    expect(way.answers).toBe(0);
  });

  it("do not count if they throw before waiting", async () => {
    const way = new RightOfWay();
    const thrown = way.before(() => {
      throw new Error("at once");
    });
    await expect(thrown).rejects.toThrow("at once");
    expect(way.answers).toBe(0);
  });

  it("wake the paused threads after the last of them", async () => {
    const way = new RightOfWay();
    const [one, other] = [heldAnswer(way), heldAnswer(way)];
    // It sleeps without a limit: nothing but being woken ends it.
    const code = `const { parentPort, workerData } = require("node:worker_threads");
      const answers = new Int32Array(workerData);
      parentPort.postMessage("waits");
      for (let now = 2; now > 0; now = Atomics.load(answers, 0)) Atomics.wait(answers, 0, now);
      parentPort.postMessage("continues");`;
    const thread = new Worker(code, { eval: true, workerData: way.memory });
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

describe("a thread that yields", () => {
  it("works on if no caller waits", () => {
    const clock = new SleptClock();
    const before = counters.timesGivenWay;
    new GivingWay(new RightOfWay().memory, clock).giveWay();
    expect([clock.slept, counters.timesGivenWay - before]).toEqual([[], 0]);
  });

  it("continues as soon as the answer arrives", () => {
    const way = new RightOfWay();
    const cell = new Int32Array(way.memory);
    void heldAnswer(way);
    // Another query comes while it sleeps, then both are answered.
    const later = [2, 0];
    const clock = new SleptClock(() => {
      Atomics.store(cell, 0, later.shift() ?? 0);
      return 10;
    });
    new GivingWay(way.memory, clock).giveWay();
    expect(clock.slept).toEqual([100, 90]);
  });

  it("pauses for at most a tenth of a second, then works a ninth of that time, however long a caller waits", () => {
    const way = new RightOfWay();
    void heldAnswer(way);
    const clock = new SleptClock();
    const giving = new GivingWay(way.memory, clock);
    giving.giveWay();
    expect(clock.slept).toEqual([100]);
    for (let worked = 0; worked < 11; worked++) {
      giving.giveWay();
      clock.pass(1);
    }
    expect(clock.slept).toEqual([100]);
    clock.pass(1);
    giving.giveWay();
    expect(clock.slept).toEqual([100, 100]);
  });
});

/** The rows of a sweep by threads that yield, and the number of their pauses. */
async function swept(way: RightOfWay): Promise<{ rows: number; timesGivenWay: number }> {
  const runner = new PoolRunner(root, { background: true, rightOfWay: way });
  const before = counters.timesGivenWay;
  const input: SweepInput = {
    id: NAME,
    use: async (work) => {
      const path = `public/samples/${NAME}`;
      return work(new OpenedSession(path, await runner.run("ingest", { path, name: NAME }), runner));
    },
  };
  let rows = 0;
  for await (const { result } of sweepAll([input], QUESTION, runner))
    rows += result instanceof Error ? 0 : [...result].length;
  await runner.close();
  return { rows, timesGivenWay: counters.timesGivenWay - before };
}

describe("a sweep's threads", () => {
  it("never yield without a caller", async () => {
    expect(await swept(new RightOfWay())).toEqual({ rows: POINTS, timesGivenWay: 0 });
  });

  it("yield during a pending answer, and finish even if it never arrives", async () => {
    const way = new RightOfWay();
    void heldAnswer(way);
    const { rows, timesGivenWay } = await swept(way);
    expect(rows).toBe(POINTS);
    expect(timesGivenWay).toBeGreaterThan(0);
  });
});
