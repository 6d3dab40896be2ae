import { createHash } from "node:crypto";
import type PgBoss from "pg-boss";
import type { JobKind } from "./jobs";

/** The tables of the queue have a schema of their own in the database. */
const SCHEMA = "context_replay_jobs";
/** The most connections at once. */
const CONNECTIONS = 3;
/** A job that is not heard of for this long was lost with its worker. */
const SILENCE_SECONDS = 30;
/** How often a job may be lost, or end in a bug of ours, before it is given up. */
const RETRIES = 3;
/** For this long a result can be taken, and asking for the same job finds it. */
const KEPT_SECONDS = 3600;

export interface QueueOptions {
  /** Identifies the code that does the jobs: other code might come to another result, so it has queues of its own. */
  readonly madeBy: string;
  /** A job that is not heard of for this long, in seconds, was lost with its worker. */
  readonly silence?: number;
}

/** A job that a worker has taken. */
interface TakenJob {
  readonly id: string;
  readonly task: object;
  /** How often the worker has to say that it is still at it, in milliseconds. */
  readonly pulseMs: number;
}

/** How a job stands that somebody waits for. */
export interface JobStanding {
  readonly id: string;
  readonly state: "created" | "retry" | "active" | "completed" | "cancelled" | "failed";
  readonly output: { readonly packed?: string } | null;
}

/** Jobs in a PostgreSQL database, by pg-boss. A worker that takes a job has to be heard of until it is done. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #madeBy: string;
  readonly #silence: number;

  private constructor(boss: PgBoss, { madeBy, silence = SILENCE_SECONDS }: QueueOptions) {
    this.#boss = boss;
    this.#madeBy = madeBy;
    this.#silence = silence;
  }

  /** Opens the queues of a database; their tables are made where there are none. @param address as `postgres://user:password@host:port/database` */
  static async open(address: string, kinds: readonly JobKind[], options: QueueOptions): Promise<JobQueue> {
    const { default: Boss } = await import("pg-boss");
    const boss = new Boss({
      connectionString: address,
      max: CONNECTIONS,
      schema: SCHEMA,
      schedule: false,
      archiveCompletedAfterSeconds: KEPT_SECONDS,
      deleteAfterSeconds: KEPT_SECONDS,
    });
    // A connection that breaks is made again with the next question; who asks is told.
    boss.on("error", () => undefined);
    await boss.start();
    const queue = new JobQueue(boss, options);
    for (const kind of kinds) await boss.createQueue(queue.#name(kind));
    return queue;
  }

  /** Adds a job and returns its id, which follows from its kind and task: the same job is not added a second time. */
  async add(kind: JobKind, task: object): Promise<string> {
    const id = jobId(this.#name(kind), task);
    const options = { id, retryLimit: RETRIES, expireInSeconds: this.#silence, retentionDays: 1 };
    if ((await this.#boss.send(this.#name(kind), task, options)) !== null) return id;
    // It is there. If it was taken back or given up, it is begun anew.
    await this.#boss.resume(this.#name(kind), id);
    await this.#boss.retry(this.#name(kind), id);
    return id;
  }

  /** How jobs stand; one that is not among the answers is no longer there. */
  async standings(kind: JobKind, ids: readonly string[]): Promise<readonly JobStanding[]> {
    const sql = `select id, state, output from ${SCHEMA}.job where name = $1 and id = any($2::uuid[])`;
    const { rows } = await this.#boss.getDb().executeSql(sql, [this.#name(kind), ids]);
    return rows;
  }

  /** Takes a job to do, if there is one. */
  async take(kind: JobKind): Promise<TakenJob | undefined> {
    const [job] = await this.#boss.fetch<object>(this.#name(kind));
    if (job === undefined) return undefined;
    return { id: job.id, task: job.data, pulseMs: (job.expireInSeconds * 1000) / 3 };
  }

  /** Says that a job is still being done. pg-boss counts from the time at which a job was started. */
  async stillAt(kind: JobKind, id: string): Promise<void> {
    const sql = `update ${SCHEMA}.job set started_on = now() where name = $1 and id = $2 and state = 'active'`;
    await this.#boss.getDb().executeSql(sql, [this.#name(kind), id]);
  }

  /** Writes what a job came to, unless it was written before or the job was taken back: all in one statement, so it is written once. */
  async complete(kind: JobKind, id: string, outcome: object): Promise<void> {
    await this.#boss.complete(this.#name(kind), id, outcome);
  }

  /** Gives a job back, to be tried again. */
  async giveBack(kind: JobKind, id: string): Promise<void> {
    await this.#boss.fail(this.#name(kind), id, {});
  }

  /** Takes a job back: who does it finds its result not wanted. */
  async cancel(kind: JobKind, id: string): Promise<void> {
    await this.#boss.cancel(this.#name(kind), id);
  }

  /** Makes jobs available again whose workers were not heard of. */
  async missLost(): Promise<void> {
    await this.#boss.expire();
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, wait: true });
  }

  #name(kind: JobKind): string {
    return `${kind}-${this.#madeBy}`;
  }
}

/** A job's id as a UUID, made from a digest of what it is. */
function jobId(queue: string, task: object): string {
  const hex = createHash("sha256").update(queue).update("\0").update(JSON.stringify(task)).digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
