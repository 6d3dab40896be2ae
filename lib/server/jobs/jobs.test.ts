import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ChoiceError } from "@/lib/queries/session/session-context";
import { InputError } from "../base/input-error";
import { makerOf } from "../base/made-by";
import { ownPricesText } from "../base/prices";
import { PostgresExecutor } from "../store/database/open";
import { builtProgram } from "../testing/bundles";
import { DIALECTS_HERE, postgresServer } from "../testing/databases";
import { assistantLine, put, temporaryFolder, userLine } from "../testing/files";
import { localHandlers } from "../testing/jobs";
import type { JobQueue } from "./job-queue";
import { JobWorker } from "./job-worker";
import type { IndexTask, ReplaysTask } from "./jobs";
import { LocalJobs, openQueue } from "./open-jobs";
import { QueuedJobs } from "./queued-jobs";

const folder = temporaryFolder();
const handlers = localHandlers();

/** The task of reading a session with a title of its own. */
function taskOf(number: number): IndexTask {
  const name = `session-${number}.jsonl`;
  const lines = [userLine(`Question ${number}\u0000 会话?`, "u1"), assistantLine("Yes. ".repeat(4000), "a1", "u1")];
  return { path: put(folder, name, lines.join("\n")), name, version: { bytes: 1, mtimeMs: 1 }, text: "prompts" };
}

const SESSIONS = 24;
const SAMPLE = join("public", "samples", "claude-code-report-timezone.jsonl");

/** The task of replaying a copy of a sample that is a file of its own. */
function replaysOf(number: number): ReplaysTask {
  const name = `replayed-${number}.jsonl`;
  const path = put(folder, name, readFileSync(SAMPLE, "utf8"));
  const runs = [{ policy: "none" }, { policy: "claude-code" }, { policy: "custom" }];
  return { path, name, version: { bytes: 1, mtimeMs: 1 }, asked: { kind: "policies", runs } };
}

describe("jobs in this process", () => {
  it("run once for all callers, and stop at an abort signal", async () => {
    const index = vi.fn(handlers.index);
    const jobs = new LocalJobs({ ...handlers, index });
    const task = taskOf(1);
    const [one, other] = await Promise.all([jobs.run("index", task), jobs.run("index", { ...task })]);
    expect([index.mock.calls.length, other]).toEqual([1, one]);
    const ended = AbortSignal.abort(new Error("not wanted"));
    await expect(jobs.run("index", task, ended)).rejects.toThrow("not wanted");
    expect(index.mock.calls.length).toBe(1);
  });
});

describe.runIf(DIALECTS_HERE.includes("postgres"))("jobs in a shared database", () => {
  const server = postgresServer();
  const root = builtProgram();
  const opened: { close(): Promise<void> }[] = [];
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    for (const one of opened.splice(0).reverse()) await one.close();
  });

  async function queueAt(address: string, silence?: number): Promise<JobQueue> {
    const queue = await openQueue(address, handlers, {
      madeBy: makerOf(root, ownPricesText()),
      ...(silence !== undefined && { silence }),
    });
    opened.push(queue);
    return queue;
  }

  function waitingAt(queue: JobQueue): QueuedJobs {
    const jobs = new QueuedJobs(queue);
    opened.push(jobs);
    return jobs;
  }

  function workingAt(queue: JobQueue, index = handlers.index): JobWorker {
    const worker = new JobWorker(queue, { index }, { atOnce: 2 });
    opened.push(worker);
    return worker;
  }

  /** A worker process of the database, as a user starts it. */
  async function workerProcess(address: string): Promise<ChildProcess> {
    const env = { ...process.env, CONTEXT_REPLAY_DATABASE: address };
    const child = spawn(process.execPath, [join(root, "dist", "cli.mjs"), "work", "--threads", "2"], { env });
    children.push(child);
    let output = "";
    child.stderr.on("data", (chunk) => {
      output += String(chunk);
    });
    await vi.waitFor(() => expect(output).toContain("working"), 60_000);
    return child;
  }

  const rows = async (address: string, sql: string) => {
    const executor = new PostgresExecutor(address);
    const found = await executor.run([{ sql, parameters: [] }]);
    await executor.close();
    return found;
  };

  it("are each done once by two processes, even if one of them is killed", async () => {
    const address = await server.newDatabase();
    const jobs = waitingAt(await queueAt(address, 2));
    await rows(address, "create table written (id uuid)");
    await rows(
      address,
      "create function note() returns trigger language plpgsql as 'begin insert into written values (new.id); return null; end'",
    );
    await rows(
      address,
      "create trigger noted after update on context_replay_jobs.job for each row when (new.state = 'completed') execute function note()",
    );
    const [killed] = await Promise.all([workerProcess(address), workerProcess(address)]);
    const results = Promise.all(Array.from({ length: 200 }, (_, number) => jobs.run("index", taskOf(number))));
    const active = "select count(*) as done from written";
    await vi.waitFor(async () => expect(Number((await rows(address, active))[0]?.done)).toBeGreaterThan(20), 60_000);
    killed.kill("SIGKILL");
    await once(killed, "exit");
    const done = Number((await rows(address, active))[0]?.done);
    expect(done).toBeLessThan(200);

    const titles = (await results).map(({ summary }) => summary.title);
    expect(titles).toEqual(Array.from({ length: 200 }, (_, number) => `Question ${number}\u0000 会话?`));
    expect(await rows(address, "select count(*) as all, count(distinct id) as each from written")).toEqual([
      { all: 200, each: 200 },
    ]);
    const states =
      "select state, count(*) as jobs from context_replay_jobs.job where name like 'index-%' group by state";
    expect(await rows(address, states)).toEqual([{ state: "completed", jobs: 200 }]);
  });

  it("replay each session once with the same metrics, even if a worker is killed", async () => {
    const address = await server.newDatabase();
    const jobs = waitingAt(await queueAt(address, 2));
    const [killed] = await Promise.all([workerProcess(address), workerProcess(address)]);
    const tasks = Array.from({ length: SESSIONS }, (_, number) => replaysOf(number));
    const results = Promise.all(tasks.map((task) => jobs.run("replays", task)));
    const states =
      "select state, count(*) as jobs from context_replay_jobs.job where name like 'replays-%' group by state";
    const doneBy = async () => Number((await rows(address, states)).find(({ state }) => state === "completed")?.jobs);
    await vi.waitFor(async () => expect(await doneBy()).toBeGreaterThan(4), 60_000);
    killed.kill("SIGKILL");
    await once(killed, "exit");
    expect(await doneBy()).toBeLessThan(SESSIONS);
    const here = new LocalJobs(handlers);
    // Absent values stay absent in the queue.
    const expected = await Promise.all(tasks.map((task) => here.run("replays", task)));
    expect(await results).toEqual(expected);
    expect(await rows(address, states)).toEqual([{ state: "completed", jobs: SESSIONS }]);
    const bad = { ...replaysOf(1), asked: { kind: "policies" as const, runs: [{ policy: "nobody's" }] } };
    await expect(jobs.run("replays", bad)).rejects.toThrow(ChoiceError);
  });

  it("run once for all callers, even after the first caller has left", async () => {
    const address = await server.newDatabase();
    const index = vi.fn(handlers.index);
    const task = taskOf(1);
    const first = new QueuedJobs(await queueAt(address));
    const lost = first.run("index", task).catch((error: Error) => error.message);
    const queue = await queueAt(address);
    await vi.waitFor(async () =>
      expect((await queue.statuses("index", [await queue.add("index", task)]))[0]?.state).toBe("created"),
    );
    await first.close();
    expect(await lost).toBe("the jobs are closed");
    workingAt(queue, index);
    const jobs = waitingAt(queue);
    const [one, other] = await Promise.all([
      jobs.run("index", task),
      waitingAt(await queueAt(address)).run("index", task),
    ]);
    expect(other).toEqual(one);
    expect(one).toEqual({ ...(await handlers.index(task)), places: expect.anything() });
    await jobs.run("index", task);
    expect(index.mock.calls.length).toBe(1);
  });

  it("of a worker presumed dead keep the result that arrives first", async () => {
    const queue = await queueAt(await server.newDatabase(), 1);
    const id = await queue.add("index", taskOf(1));
    expect((await queue.take("index"))?.id).toBe(id);
    await vi.waitFor(async () => {
      await queue.requeueLost();
      expect((await queue.take("index"))?.id).toBe(id);
    }, 20_000);
    await queue.complete("index", id, { packed: "first" });
    await queue.complete("index", id, { packed: "second" });
    expect(await queue.statuses("index", [id])).toMatchObject([{ state: "completed", output: { packed: "first" } }]);
  });

  it("may run longer than the worker timeout without being started again", async () => {
    const queue = await queueAt(await server.newDatabase(), 1);
    const index = vi.fn(async (task: IndexTask) => {
      await delay(3500);
      return handlers.index(task);
    });
    workingAt(queue, index);
    await waitingAt(queue).run("index", taskOf(1));
    expect(index.mock.calls.length).toBe(1);
  });

  it("can be cancelled and requested again", async () => {
    const queue = await queueAt(await server.newDatabase());
    const jobs = waitingAt(queue);
    const task = taskOf(1);
    const ended = new AbortController();
    const running = jobs.run("index", task, ended.signal);
    const id = await queue.add("index", task);
    ended.abort(new Error("not wanted"));
    await expect(running).rejects.toThrow("not wanted");
    await vi.waitFor(async () => expect((await queue.statuses("index", [id]))[0]?.state).toBe("cancelled"));
    workingAt(queue);
    expect((await jobs.run("index", task)).summary.title).toContain("Question 1");
  });

  it("are cancelled while they run, and run again for the next caller", async () => {
    const queue = await queueAt(await server.newDatabase());
    const jobs = waitingAt(queue);
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    const replays = vi.fn(async (task: ReplaysTask) => {
      if (replays.mock.calls.length === 1) await held;
      return handlers.replays(task);
    });
    opened.push(new JobWorker(queue, { replays }, { atOnce: 1 }));
    const task = replaysOf(0);
    const ended = new AbortController();
    const running = jobs.run("replays", task, ended.signal);
    await vi.waitFor(() => expect(replays.mock.calls.length).toBe(1), 10_000);
    const id = await queue.add("replays", task);
    const state = async () => (await queue.statuses("replays", [id]))[0]?.state;
    expect(await state()).toBe("active");
    ended.abort(new Error("not wanted"));
    await expect(running).rejects.toThrow("not wanted");
    await vi.waitFor(async () => expect(await state()).toBe("cancelled"));
    // No caller wants its result now.
    go();
    expect(await jobs.run("replays", task)).toEqual(await handlers.replays(task));
    expect(replays.mock.calls.length).toBe(2);
  });

  it("can be cancelled while they are being added", async () => {
    const jobs = waitingAt(await queueAt(await server.newDatabase()));
    const ended = new AbortController();
    const running = jobs.run("index", taskOf(1), ended.signal);
    ended.abort(new Error("not wanted"));
    await expect(running).rejects.toThrow("not wanted");
  });

  it("report an error of the input, and are retried after an internal error", async () => {
    const queue = await queueAt(await server.newDatabase());
    const bug = vi.fn(handlers.index).mockRejectedValueOnce(new TypeError("a bug"));
    workingAt(queue, bug);
    const jobs = waitingAt(queue);
    const gone = { ...taskOf(1), path: join(folder, "gone.jsonl"), name: "gone.jsonl" };
    expect((await jobs.run("index", taskOf(2))).summary.title).toContain("Question 2");
    expect(bug.mock.calls.length).toBe(2);
    await expect(jobs.run("index", gone)).rejects.toThrow(InputError);
    await expect(jobs.run("index", gone)).rejects.toThrow("there is no such file");
  });
});
