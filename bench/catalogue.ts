/**
 * Measures the start of a list of thousands of sessions: a generated tree of Claude Code's folders, a first start that reads all of it, a second one that
 * reads nothing, the time of lists, searches and sums meanwhile and afterwards, and the time of ccusage for the same folders. Then the same queries over rows
 * alone, in every database. `npm run bench catalogue -- 20000 100000` sets the numbers of sessions and of rows; by default the latter is five times the first.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { SessionPage } from "@/lib/queries/contract/schemas";
import { type App, startApp } from "../e2e/support/server";
import { ask } from "./support/ask";
import { ccusageSeconds } from "./support/ccusage";
import { SAMPLES, SAMPLES_BY_AGENT } from "./support/inputs";
import { makeLarge } from "./support/large";
import { madeRows } from "./support/made-rows";
import { markdownTable, quantile } from "./support/table";

const SESSIONS = 2000;
/** Sizes in bytes, beginnings of a sample: small ones are as frequent as large ones; 200 kB on the mean. */
const SIZES = [8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000, 800_000];
const PROJECTS = 40;
const LATER_MS = 3_600_000;
/** Polling intervals for the first session, and for the end of reading: each poll is an additional query. */
const POLL_MS = 50;
const READ_POLL_MS = 500;
/** Number of queries of each kind once everything is read. */
const QUERY_COUNT = 100;

/** Queries that differ each time, so that none is answered from memory. */
const QUERIES: Readonly<Record<string, (number: number) => string>> = {
  list: (number) => `/api/sessions?sort=${["-modified", "-cost", "title", "-peak"][number % 4]}&where=bytes>${number}`,
  search: (number) => `/api/sessions?q=${["test", "file", "src", "error"][number % 4]}&where=bytes>${number}`,
  "search, two characters": (number) => `/api/sessions?q=ts&where=bytes>${number}`,
  facets: (number) => `/api/sessions/facets?where=bytes>${number}`,
};

/** Number of rows per file. */
const ROWS = 5;

export async function main([count, rowCount]: readonly string[]): Promise<void> {
  const sessions = Number(count ?? SESSIONS);
  const place = mkdtempSync(join(tmpdir(), "context-replay-catalogue-"));
  try {
    const bytes = await writeTree(join(place, "claude"), sessions);
    console.log(`${sessions} sessions, ${(bytes / 1e6).toFixed(0)} MB in ${PROJECTS} folders.\n`);
    const env = { CLAUDE_CONFIG_DIR: join(place, "claude"), CONTEXT_REPLAY_DATA: join(place, "data") };
    const { rows, seconds } = await firstStart(env, sessions, bytes);
    rows.push(...(await secondStart(env, sessions)), ...ccusageRows(place, seconds));
    rows.push(["index, MB", (statSync(join(place, "data", "index.sqlite")).size / 1e6).toFixed(0)]);
    rows.push(...(await madeRows(Number(rowCount ?? sessions * ROWS))));
    console.log(markdownTable(["", ""], rows));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function writeTree(root: string, sessions: number): Promise<number> {
  const sample = SAMPLES_BY_AGENT.find(({ agent }) => agent === "claude-code")?.sample ?? "";
  const beginnings = SIZES.map((size) => beginningOf(join(SAMPLES, sample), size, join(root, `${size}.txt`)));
  let bytes = 0;
  for (let at = 0; at < sessions; at++) {
    const folder = join(root, "projects", `-home-ada-project-${at % PROJECTS}`);
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `session-${at}.jsonl`);
    // A minimum size of one byte writes the beginning once, with new ids and times.
    await makeLarge(beginnings[at % SIZES.length] ?? "", path, 1, (at + 1) * LATER_MS);
    const seconds = 1_700_000_000 + at * 60;
    utimesSync(path, seconds, seconds);
    bytes += statSync(path).size;
  }
  return bytes;
}

/** Writes the first whole lines of a file to another one. */
function beginningOf(source: string, bytes: number, target: string): string {
  const content = readFileSync(source);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content.subarray(0, content.lastIndexOf(10, bytes) + 1));
  return target;
}

type Env = Readonly<Record<string, string>>;

/**
 * @param seconds time from the program's start until all was read
 */
function ccusageRows(place: string, seconds: number): string[][] {
  const theirs = ccusageSeconds(join(place, "ccusage"), join(place, "claude"));
  if (theirs === undefined) return [["ccusage", "could not be installed"]];
  return [
    ["ccusage over the same folders, s", theirs.toFixed(1)],
    ["times as fast from its start until all is read", (theirs / seconds).toFixed(1)],
  ];
}

async function firstStart(
  env: Env,
  sessions: number,
  bytes: number,
): Promise<{ readonly rows: string[][]; readonly seconds: number }> {
  const started = performance.now();
  const app = await startApp({ env });
  const ready = performance.now();
  await until(app, (page) => page.sessions.length > 0);
  const first = performance.now();
  const during: Waits = {};
  let isRead = false;
  const isAllRead = ({ indexing }: SessionPage) => indexing.done === indexing.total && indexing.total >= sessions;
  const done = until(app, isAllRead, READ_POLL_MS).then(() => {
    isRead = true;
    return performance.now();
  });
  const agent = new Agent({ keepAlive: true });
  for (let asked = 0; !isRead; asked++) {
    for (const [kind, path] of Object.entries(QUERIES)) await noted(during, kind, ask(app, agent, path(asked)));
    await delay(200);
  }
  const ended = await done;
  const took = ended - ready;
  const after: Waits = {};
  for (let number = 0; number < QUERY_COUNT; number++) {
    for (const [kind, path] of Object.entries(QUERIES)) await noted(after, kind, ask(app, agent, path(1000 + number)));
  }
  agent.destroy();
  const peak = peakOf(app.pid);
  await app.stop();
  const rows = [
    ["first start: listening after, ms", (ready - started).toFixed(0)],
    ["first rows after that, ms", (first - ready).toFixed(0)],
    ["all read after, s", (took / 1000).toFixed(1)],
    ["sessions a second; MB/s", `${((sessions * 1000) / took).toFixed(0)}; ${(bytes / 1000 / took).toFixed(1)}`],
    ["peak memory, MB", peak],
    ...waitRows("while reading", during),
    ...waitRows("afterwards", after),
  ];
  return { rows, seconds: (ended - started) / 1000 };
}

async function secondStart(env: Env, sessions: number): Promise<string[][]> {
  const started = performance.now();
  const app = await startApp({ env });
  const ready = performance.now();
  const page = await until(app, ({ total }) => total > 0);
  const listed = performance.now();
  await until(app, ({ indexing }) => indexing.done === indexing.total);
  const walked = performance.now();
  await app.stop();
  return [
    ["second start: listening after, ms", (ready - started).toFixed(0)],
    [`list of ${page.total} of ${sessions} after that, ms`, (listed - ready).toFixed(0)],
    ["all folders walked, nothing to read, ms", (walked - ready).toFixed(0)],
  ];
}

type Waits = Record<string, number[]>;

async function noted(waits: Waits, kind: string, ms: Promise<number>): Promise<void> {
  waits[kind] = [...(waits[kind] ?? []), await ms];
}

function waitRows(when: string, waits: Waits): string[][] {
  return Object.entries(waits).map(([kind, ms]) => [
    `${kind} ${when}, p50 and p95 of ${ms.length}, ms`,
    [0.5, 0.95].map((share) => quantile(ms, share).toFixed(0)).join("; "),
  ]);
}

async function until(app: App, holds: (page: SessionPage) => boolean, everyMs = POLL_MS): Promise<SessionPage> {
  for (;;) {
    const answer = await fetch(`${app.origin}/api/sessions?limit=50`);
    if (!answer.ok) throw new Error(`the list was answered with ${answer.status}`);
    const page: SessionPage = await answer.json();
    if (holds(page)) return page;
    await delay(everyMs);
  }
}

/** Peak memory of a process, in megabytes; known on Linux only. */
function peakOf(pid: number): string {
  if (process.platform !== "linux") return "n/a";
  const [, kilobytes = ""] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return (Number(kilobytes) / 1000).toFixed(0);
}
