import { createHash } from "node:crypto";
import type PgBoss from "pg-boss";
import type { JobKind } from "./jobs";

/** The queue's tables have their own schema in the database. */
const SCHEMA = "context_replay_jobs";
/** Maximum concurrent connections. */
const CONNECTIONS = 3;
/** A job without a heartbeat for this long was lost with its worker. */
const SILENCE_SECONDS = 30;
/** Number of times that a job may be lost, or end in a bug of this program, before it fails. */
const RETRIES = 3;
/** Retention of a result, during which the same job finds it. */
const KEPT_SECONDS = 3600;

export interface QueueOptions {
  /** Identifies the code that runs the jobs: other code might give another result, so it has its own queues. */
  readonly madeBy: string;
  /** A job without a heartbeat for this long, in seconds, was lost with its worker. */
  readonly silence?: number;
}

/** A job that a worker has taken. */
interface TakenJob {
  readonly id: string;
  readonly task: object;
  /** Heartbeat interval of the worker, in milliseconds. */
  readonly pulseMs: number;
}

/** State of an awaited job. */
export interface JobStatus {
  readonly id: string;
  readonly state: "created" | "retry" | "active" | "completed" | "cancelled" | "failed";
  readonly output: { readonly packed?: string } | null;
}

/** Jobs in a PostgreSQL database, by pg-boss. A worker sends heartbeats for a job until it is done. */
export class JobQueue {
  readonly #boss: PgBoss;
  readonly #madeBy: string;
  readonly #silence: number;

  private constructor(boss: PgBoss, { madeBy, silence = SILENCE_SECONDS }: QueueOptions) {
    this.#boss = boss;
    this.#madeBy = madeBy;
    this.#silence = silence;
  }

  /** Opens the queues of a database, and creates missing tables. @param address as `postgres://user:password@host:port/database` */
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
    // The next query reopens a broken connection; its caller gets the error.
    boss.on("error", () => undefined);
    await boss.start();
    const queue = new JobQueue(boss, options);
    for (const kind of kinds) await boss.createQueue(queue.#name(kind));
    return queue;
  }

  /** Adds a job and returns its id, which follows from its kind and task: the same job is not added twice. */
  async add(kind: JobKind, task: object): Promise<string> {
    const id = jobId(this.#name(kind), task);
    const options = { id, retryLimit: RETRIES, expireInSeconds: this.#silence, retentionDays: 1 };
    if ((await this.#boss.send(this.#name(kind), task, options)) !== null) return id;
    // The job exists. A cancelled or failed one is restarted.
    await this.#boss.resume(this.#name(kind), id);
    await this.#boss.retry(this.#name(kind), id);
    return id;
  }

  /** States of jobs; a missing one no longer exists. */
  async statuses(kind: JobKind, ids: readonly string[]): Promise<readonly JobStatus[]> {
    const sql = `select id, state, output from ${SCHEMA}.job where name = $1 and id = any($2::uuid[])`;
    const { rows } = await this.#boss.getDb().executeSql(sql, [this.#name(kind), ids]);
    return rows;
  }

  /** Takes the next job, if there is one. */
  async take(kind: JobKind): Promise<TakenJob | undefined> {
    const [job] = await this.#boss.fetch<object>(this.#name(kind));
    if (job === undefined) return undefined;
    return { id: job.id, task: job.data, pulseMs: (job.expireInSeconds * 1000) / 3 };
  }

  /** Sends a heartbeat of a job. pg-boss counts from the time at which a job was started. */
  async heartbeat(kind: JobKind, id: string): Promise<void> {
    const sql = `update ${SCHEMA}.job set started_on = now() where name = $1 and id = $2 and state = 'active'`;
    await this.#boss.getDb().executeSql(sql, [this.#name(kind), id]);
  }

  /** Writes the result of a job, unless it was written before or the job was cancelled: in one statement, so it is written once. */
  async complete(kind: JobKind, id: string, outcome: object): Promise<void> {
    await this.#boss.complete(this.#name(kind), id, outcome);
  }

  /** Returns a job to the queue after a failure. */
  async giveBack(kind: JobKind, id: string): Promise<void> {
    await this.#boss.fail(this.#name(kind), id, {});
  }

  /** Cancels a job: its worker finds its result unwanted. */
  async cancel(kind: JobKind, id: string): Promise<void> {
    await this.#boss.cancel(this.#name(kind), id);
  }

  /** Requeues jobs whose workers sent no heartbeat. */
  async requeueLost(): Promise<void> {
    await this.#boss.expire();
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false, wait: true });
  }

  #name(kind: JobKind): string {
    return `${kind}-${this.#madeBy}`;
  }
}

/** A job's id as a UUID, made from a digest of its content. */
function jobId(queue: string, task: object): string {
  const hex = createHash("sha256").update(queue).update("\0").update(JSON.stringify(task)).digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
