/**
 * Measures how long 50 clients wait for session lists and items of the built program over HTTP, with and without a running sweep of 100 × 100
 * points over 100 recordings.
 */
import { once } from "node:events";
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { SessionPage, SweepRequest } from "@/lib/queries/contract/schemas";
import { type App, startApp } from "../e2e/support/server";
import { ask } from "./support/ask";
import { spread, writeManyRecordings } from "./support/many-recordings";
import { markdownTable, quantile } from "./support/table";

const RECORDINGS = 100;
const CLIENTS = 50;
/** Number of list rows that a client requests: as the page does, and the API's default. */
const LIST_ROWS = [200, 50];
/** Number of items that the page requests at once. */
const ITEMS = 100;
const WARM_MS = 3000;
const MEASURED_MS = 15_000;

/** 100 × 100 points. */
const SWEEP: Omit<SweepRequest, "sessions"> = {
  policy: "custom",
  vary: [
    { key: "triggerShare", from: 0.405, to: 0.9, step: 0.005 },
    { key: "keepRecentTokens", from: 1000, to: 40_600, step: 400 },
  ],
};

/** Pace of each client: again as soon as it has its answer, or at an interval. */
const PACES = [
  { label: "each asks again at once", everyMs: 0 },
  { label: "each asks once a second", everyMs: 1000 },
] as const;

type Session = Pick<SessionPage["sessions"][number], "id" | "bytes">;

export async function main(): Promise<void> {
  const app = await startApp({ fill: (folder) => writeManyRecordings(folder, RECORDINGS) });
  try {
    console.log(
      markdownTable(["", "answers a second", "p50, ms", "p95, ms", "p99, ms", "longest, ms"], await rowsFor(app)),
    );
  } finally {
    await app.stop();
  }
}

async function rowsFor(app: App): Promise<string[][]> {
  const sessions = await indexed(app);
  const megabytes = sessions.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  console.log(
    `${sessions.length} recordings, ${megabytes.toFixed(0)} MB; ${CLIENTS} clients, which take turns asking for a list (${LIST_ROWS.join(" or ")} rows) and for ${ITEMS} items of any recording; ${MEASURED_MS / 1000} s after ${WARM_MS / 1000} s each.\n`,
  );
  const rows: string[][] = [];
  for (const pace of PACES) rows.push(...rowsOf(`alone, ${pace.label}`, await measured(app, sessions, pace.everyMs)));
  const sweep = new RunningSweep(app, sessions);
  await sweep.begun;
  for (const pace of PACES) {
    const before = sweep.done;
    const waits = await measured(app, sessions, pace.everyMs);
    rows.push(...rowsOf(`beside a sweep, ${pace.label}`, waits));
    rows.push(["the sweep meanwhile, replays a second", perSecond(sweep.done - before, WARM_MS + MEASURED_MS)]);
  }
  const before = sweep.done;
  await delay(MEASURED_MS);
  rows.push(["the sweep alone, replays a second", perSecond(sweep.done - before, MEASURED_MS)]);
  sweep.stop();
  return rows;
}

/** The sessions, once the server has read all of them. */
async function indexed(app: App): Promise<readonly Session[]> {
  for (;;) {
    const answer = await fetch(`${app.origin}/api/sessions?limit=200`);
    const page: SessionPage = await answer.json();
    if (page.indexing.done === page.indexing.total) return page.sessions;
    await delay(200);
  }
}

interface Waits {
  readonly list: number[];
  readonly items: number[];
}

/** The milliseconds from each request to the end of its answer. */
async function measured(app: App, sessions: readonly Session[], everyMs: number): Promise<Waits> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const started = performance.now();
  const waits: Waits = { list: [], items: [] };
  const client = async (number: number): Promise<void> => {
    await delay(spread(number) * everyMs);
    for (let asked = number; performance.now() - started < WARM_MS + MEASURED_MS; asked++) {
      const kind = asked % 2 === 0 ? "list" : "items";
      const path = kind === "list" ? listPath(asked / 2) : itemsPath(asked * CLIENTS + number, sessions);
      const from = performance.now();
      const took = await ask(app, agent, path);
      if (from - started >= WARM_MS) waits[kind].push(took);
      await delay(Math.max(0, everyMs - took));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
  agent.destroy();
  return waits;
}

function listPath(asked: number): string {
  return `/api/sessions?limit=${LIST_ROWS[asked % LIST_ROWS.length]}`;
}

/** The path of a hundred items, as the page requests them, of any session: in a large one, from among its first thousand items or so. */
function itemsPath(asked: number, sessions: readonly Session[]): string {
  const { id = "", bytes = 0 } = sessions[Math.floor(spread(asked) * sessions.length)] ?? {};
  const page = asked % (1 + Math.floor(bytes / 400_000));
  return `/api/sessions/${id}/items?from=${page * ITEMS}&to=${(page + 1) * ITEMS}`;
}

/** Matches a sweep's progress messages. Result rows never match. */
const DONE = /"done":(\d+),"total"/g;

/**
 * A sweep that runs as long as this client listens. The rows are not parsed, since parsing megabytes of JSON would delay the measured
 * clients, which share this thread.
 */
class RunningSweep {
  readonly begun: Promise<void>;
  /** Number of finished replays. */
  done = 0;
  readonly #asking: ClientRequest;
  #isStopped = false;
  #failure: unknown;

  constructor(app: App, sessions: readonly Session[]) {
    this.#asking = request(`${app.origin}/api/sweeps`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
    });
    this.#asking.end(JSON.stringify({ ...SWEEP, sessions: sessions.map(({ id }) => id) }));
    this.begun = new Promise((begin, fail) => {
      this.#follow(begin).catch((error) => {
        if (this.#isStopped) return;
        this.#failure = error;
        fail(error);
      });
    });
  }

  /** Stops the sweep. Throws the error that ended it before, if any. */
  stop(): void {
    this.#isStopped = true;
    this.#asking.destroy();
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #follow(onProgress: () => void): Promise<void> {
    const [answer]: IncomingMessage[] = await once(this.#asking, "response");
    if (answer?.statusCode !== 202) throw new Error(`the sweep was answered with ${answer?.statusCode}`);
    for await (const bytes of answer.setEncoding("latin1")) {
      for (const [, done] of String(bytes).matchAll(DONE)) this.done = Number(done);
      if (this.done > 0) onProgress();
    }
    throw new Error("the sweep ended before the measurement did");
  }
}

function rowsOf(label: string, waits: Waits): string[][] {
  return Object.entries(waits).map(([kind, ms]) => [
    `${label}: ${kind}`,
    perSecond(ms.length, MEASURED_MS),
    ...[0.5, 0.95, 0.99, 1].map((share) => quantile(ms, share).toFixed(0)),
  ]);
}

function perSecond(count: number, ms: number): string {
  return (count / (ms / 1000)).toLocaleString("en", { maximumFractionDigits: 0 });
}
