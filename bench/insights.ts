/**
 * Measures the queries of the page over sessions, on a server with many sessions of 500 requests: from the index, repeated, changed, and after a restart. Their
 * results mean nothing: the sessions are made up. `npm run bench insights 100` sets the number of sessions.
 */
import { mkdirSync, mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { POLICIES } from "@/lib/agents/registry";
import { adviceRequest, policiesRequest } from "@/lib/queries/contract/schemas";
import { configFrom } from "@/lib/server/base/config";
import { insightsQuery } from "@/lib/server/insights/overview";
import { listQuery } from "@/lib/server/list/list-query";
import { AppServer } from "@/lib/server/server";
import { writeManyItems } from "./support/many-items";

const SESSIONS = 1000;
/** Three items per request, and a user message every twelve. */
const ITEMS = 1540;
/** Recently changed files are not cached. */
const LONG_AGO = 1_700_000_000;
const LISTENER = { onFiles: () => undefined, onSessions: () => undefined };

export async function main([count]: readonly string[]): Promise<void> {
  const sessions = Number(count ?? SESSIONS);
  const place = mkdtempSync(join(tmpdir(), "context-replay-insights-"));
  try {
    await writeSessions(join(place, "sessions"), sessions);
    const config = {
      ...configFrom({ HOME: join(place, "home"), CONTEXT_REPLAY_DATA: join(place, "data") }),
      dirs: [join(place, "sessions")],
    };
    const note = async (what: string, work: () => Promise<unknown>) =>
      console.log(`| ${[what, ...(await measured(work))].join(" | ")} |`);
    console.log(
      `| ${sessions} sessions of 500 requests | ms | of the processor, ms | longest wait of the main thread, ms |\n| --- | --: | --: | --: |`,
    );
    const first = new AppServer(config);
    await note("read for the list", () => indexed(first));
    await note("sums and distributions", () => first.listing.overview(insightsQuery.parse({})));
    await note("recommendation, 7 settings, first question", () => advice(first, sessions, 90));
    await note("12 policies, first question", () => policies(first, sessions));
    await note("recommendation, other settings, from columns that are kept", () => advice(first, sessions, 85));
    await note("the same again", () => advice(first, sessions, 85));
    await note("the same settings by tokens", () => advice(first, sessions, 85, "tokens"));
    await note("12 policies in another order, from columns that are kept", () => policies(first, sessions, true));
    await note("the same again", () => policies(first, sessions, true));
    await first.close();
    const second = new AppServer(config);
    await indexed(second);
    await note("recommendation again after a restart", () => advice(second, sessions, 85));
    await note("12 policies again after a restart", () => policies(second, sessions, true));
    await note("stopped after half a second", () => stopped(second));
    await second.close();
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function writeSessions(folder: string, sessions: number): Promise<void> {
  mkdirSync(folder);
  for (let number = 1; number <= sessions; number++) {
    const path = join(folder, `session-${number}.jsonl`);
    await writeManyItems(path, ITEMS, number);
    utimesSync(path, LONG_AGO + number, LONG_AGO + number);
  }
}

async function indexed(server: AppServer): Promise<void> {
  await server.listing.list(listQuery.parse({ limit: 1 }));
  for (;;) {
    const { done, total } = server.listing.indexing();
    if (total > 0 && done >= total) return;
    await delay(50);
  }
}

function adviceOf(to: number, by: "cost" | "tokens") {
  const vary = [{ key: "pctOverride", from: to - 60, to, step: 10 }];
  return adviceRequest.parse({ policy: "claude-code", vary, by });
}

async function advice(server: AppServer, sessions: number, to: number, by: "cost" | "tokens" = "cost"): Promise<void> {
  const listener = { ...LISTENER, signal: new AbortController().signal };
  const { found } = await server.insights.advice(adviceOf(to, by), listener);
  if (found?.sessions !== sessions) throw new Error(`${sessions} sessions were to be asked, not ${found?.sessions}`);
}

async function policies(server: AppServer, sessions: number, reversed = false): Promise<void> {
  const runs = POLICIES.flatMap(({ id }) => (id === "recorded" ? [] : [{ policy: id }])).slice(0, 12);
  // Another order makes another query.
  if (reversed) runs.reverse();
  const listener = { ...LISTENER, signal: new AbortController().signal };
  const found = await server.insights.policies(policiesRequest.parse({ runs }), listener);
  if (found.sessions !== sessions) throw new Error(`${sessions} sessions were to be asked, not ${found.sessions}`);
}

/** Time to stop a query of its own. */
async function stopped(server: AppServer): Promise<void> {
  const control = new AbortController();
  const asked = server.insights.advice(adviceOf(95, "cost"), { ...LISTENER, signal: control.signal });
  const ended = asked.then(
    () => Promise.reject(new Error("it was answered before it was stopped")),
    () => undefined,
  );
  await delay(500);
  control.abort();
  await ended;
}

/**
 * Milliseconds of the work, of the processor in all threads, and of the longest stretch in which this thread did nothing else and the server answered no one.
 */
async function measured(work: () => Promise<unknown>): Promise<string[]> {
  let [last, longest] = [performance.now(), 0];
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 5);
    last = performance.now();
  }, 5);
  const [started, before] = [performance.now(), process.cpuUsage()];
  await work();
  const took = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  clearInterval(timer);
  return [took, (user + system) / 1000, Math.max(longest, performance.now() - last - 5)].map((ms) => ms.toFixed(0));
}
