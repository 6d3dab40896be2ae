import { basename } from "node:path";
import { profileOf } from "@/lib/agents/registry";
import type { RequestIndex } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { keyedRequests } from "@/lib/core/columns/request-keys";
import type { ContextProfile } from "@/lib/core/context/profile";
import type { PriceList } from "@/lib/core/prices/price-list";
import { replayRecording } from "@/lib/queries/answers/session-answers";
import type { ReplayRequest } from "@/lib/queries/contract/schemas";
import { whatIfOf } from "@/lib/queries/cost/cost";
import { type ReplayMetrics, replayedAsSet, replaysUnder, SessionCosts } from "@/lib/queries/replays/session-replays";
import { preparePolicy } from "@/lib/queries/session/session-context";
import { pricesOf, usablePrices } from "../base/prices";
import { measureNames, withSender } from "../read/numbers/measures";
import { OpenedSession } from "../sessions/opened-session";
import { DiskCache } from "../store/disk-cache";
import { CachedRunner } from "../threads/cached-runner";
import type { KeptOnDisk, SessionReplays, SessionReplaysTask, TaskRunner } from "../threads/tasks";

/**
 * Replays one session of many. Rejects with `InputError`, `ChoiceError` and `SettingError`.
 * @param runner reads and counts uncached data
 * @param beforeReplay is called before every replay: a thread yields to other work there
 */
export async function replaySession(
  task: SessionReplaysTask,
  runner: TaskRunner,
  beforeReplay: () => void,
): Promise<SessionReplays> {
  const { kept } = task;
  if (kept === undefined) return replayedBy(runner, task, beforeReplay);
  const reading = keptRunner(runner, kept);
  const answer = await replayedBy(reading, task, beforeReplay);
  // A pool thread stops between two tasks, and with it its unfinished writes.
  await reading.settled();
  return answer;
}

async function replayedBy(
  runner: TaskRunner,
  { path, name = basename(path), format, session: part, profile, asked, pricesFile, inherited = 0 }: SessionReplaysTask,
  beforeReplay: () => void,
): Promise<SessionReplays> {
  const session = new OpenedSession(path, await runner.run("ingest", { path, name, format, session: part }), runner);
  const { file, sessionId, agent, project, requests } = session.summary;
  const facts = { file, sessionId, agent, project, requests };
  if (requests === 0) return { facts, notReplayed: "no-requests" };
  const from = inherited === 0 ? 0 : ownFrom(session.columns, inherited);
  if (from === undefined) return { facts, notReplayed: "copy" };
  const prices = pricesFile === undefined ? usablePrices() : pricesOf(pricesFile);
  if (asked.kind === "policies")
    return { facts, runs: await runsOf(session, asked.runs, prices, profile, beforeReplay, from) };
  const query = { ...asked.query, from };
  if (profileOf(query.policy) !== undefined && agent !== query.policy) return { facts, notReplayed: "other-agent" };
  const recording = await replayRecording(session, query, profile, query.metrics !== "spent");
  const costs = new SessionCosts(prices, from);
  const replays = replaysUnder(query, recording, prices, beforeReplay, costs.of(query, recording));
  const window = preparePolicy(query, recording).window.tokens;
  if (query.metrics === "neededAgain") return { facts, replays, window };
  return {
    facts,
    replays,
    window,
    whatIf: whatIfOf(session.summary, session.columns, costs.of(query, recording).counted),
  };
}

async function runsOf(
  session: OpenedSession,
  runs: readonly ReplayRequest[],
  prices: PriceList,
  profile: ContextProfile | undefined,
  beforeReplay: () => void,
  from: RequestIndex,
): Promise<readonly ReplayMetrics[]> {
  const found: ReplayMetrics[] = [];
  const costs = new SessionCosts(prices, from);
  // One pass gives all policies' measures.
  const names = runs.flatMap(({ policy, settings }) => measureNames(policy, settings));
  await session.columnsFor(withSender(names, session.summary.agent));
  for (const run of runs) {
    const recording = await replayRecording(session, run, profile);
    found.push(replayedAsSet(run, recording, prices, beforeReplay, costs.of(run, recording), from));
  }
  return found;
}

/** The first request after those that other sessions count; `undefined` if there is none. */
function ownFrom(columns: SessionColumns, inherited: number): RequestIndex | undefined {
  const chain = keyedRequests(columns).filter(({ requests }) => requests === columns.requests);
  return chain[inherited]?.row;
}

/** Folders that this thread has searched; each is searched once. */
const caches = new Map<string, DiskCache>();

function keptRunner(runner: TaskRunner, { folder, maxBytes, madeBy }: KeptOnDisk): CachedRunner {
  const cache = caches.get(folder) ?? new DiskCache(folder, maxBytes, { isInThread: true });
  caches.set(folder, cache);
  return new CachedRunner(runner, cache, () => madeBy, { looksOnce: true });
}
