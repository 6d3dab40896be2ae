/** Measures the time of the first queries about a large recording while a server that has just started still reads other recordings. */
import { Agent } from "node:http";
import { join } from "node:path";
import { type App, sessionId, startApp } from "../e2e/support/server";
import { ask } from "./support/ask";
import { SAMPLES, SAMPLES_BY_AGENT } from "./support/inputs";
import { makeLarge } from "./support/large";
import { writeManyRecordings } from "./support/many-recordings";
import { markdownTable, median } from "./support/table";

const RECORDINGS = 100;
const MEGABYTES = 100;
const RUNS = 3;
const LARGE = "large.jsonl";

/** Queries about a session, as the page and the API's users send them. */
const QUERIES = {
  replay: { path: "/replay", body: { policy: "custom" } },
  items: { path: "/items?from=5000&to=5100" },
  columns: { path: "/columns?tokens=o200k" },
} as const;
type QueryName = keyof typeof QUERIES;

/** Sequential queries; the first one makes the server read the file. */
const ORDERS: readonly (readonly QueryName[])[] = [
  ["replay", "items", "replay"],
  ["items", "columns", "items"],
];

export async function main(): Promise<void> {
  const rows: string[][] = [];
  for (const order of ORDERS) {
    const runs: (readonly number[])[] = [];
    for (let run = 0; run < RUNS; run++) runs.push(await waitsOf(order));
    for (const at of order.keys()) {
      const waits = runs.map((run) => run[at] ?? Number.NaN);
      rows.push([order.slice(0, at + 1).join(", then "), median(waits).toFixed(0), Math.max(...waits).toFixed(0)]);
    }
  }
  console.log(
    `A recording of ${MEGABYTES} MB, asked about as soon as a server that was just started lists it beside ${RECORDINGS} others; ${RUNS} runs each.\n`,
  );
  console.log(markdownTable(["the last of", "median, ms", "longest, ms"], rows));
}

/** The milliseconds of each of the sequential queries. */
async function waitsOf(order: readonly QueryName[]): Promise<readonly number[]> {
  const app = await startApp({ fill });
  const agent = new Agent({ keepAlive: true });
  const id = await sessionId(app, LARGE);
  const waits: number[] = [];
  for (const query of order) waits.push(await asked(app, agent, id, query));
  agent.destroy();
  await app.stop();
  return waits;
}

function asked(app: App, agent: Agent, id: string, query: QueryName): Promise<number> {
  const { path, ...rest } = QUERIES[query];
  return ask(app, agent, `/api/sessions/${id}${path}`, "body" in rest ? rest.body : undefined);
}

async function fill(folder: string): Promise<void> {
  const [{ sample }] = SAMPLES_BY_AGENT;
  await makeLarge(join(SAMPLES, sample), join(folder, LARGE), MEGABYTES * 1e6);
  await writeManyRecordings(folder, RECORDINGS);
}
