import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { z } from "zod";
import { POLICIES } from "@/lib/agents/registry";
import { GROUPINGS } from "@/lib/core/analysis/contributor-groups";
import { pointCount } from "@/lib/core/columns/points";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { entriesOf } from "@/lib/core/prices/prices";
import {
  boundaryTextsOfSession,
  breakdownOfSession,
  compareSession,
  contributorsOfSession,
  fidelityOfSession,
  overheadOfSession,
  replayRecording,
  replaySession,
  toBreakdownAnswer,
} from "@/lib/queries/answers/session-answers";
import * as contract from "@/lib/queries/contract/schemas";
import { sweepRows } from "@/lib/queries/replays/swept-rows";
import { isInputError } from "@/lib/server/base/input-error";
import { rowOf } from "@/lib/server/list/index/session-list";
import { OpenedSession } from "@/lib/server/sessions/opened-session";
import { LocalRunner } from "@/lib/server/threads/local-runner";
import { Random } from "./random";
import * as sums from "./sums";

/**
 * Requests everything that the API and the command line answer about a file, and returns the errors: an exception, an answer that breaks
 * the contract, or wrong sums. An `InputError` for a file that is not a session is right.
 * @param format the format to read the file as
 * @param seed decides between alternatives
 */
export async function wrongAnswers(bytes: Buffer, format: string, seed: number): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "context-replay-fuzz-"));
  const path = join(folder, "mutated.jsonl");
  const runner = new LocalRunner();
  try {
    writeFileSync(path, bytes);
    await askAll(runner, path, format, new Random(seed));
    return undefined;
  } catch (error) {
    if (isInputError(error)) return undefined;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    await runner.close();
    rmSync(folder, { recursive: true });
  }
}

async function askAll(runner: LocalRunner, path: string, format: string, random: Random): Promise<void> {
  const name = basename(path);
  const answer = await runner.ingest({ path, name, format, fidelity: {}, accuracy: "own" });
  sums.summary(checked("inspect", contract.sessionSummary, answer.summary));
  const session = new OpenedSession(path, answer, runner);
  sums.columns(session.columns, answer.summary);
  listRow(path, answer);
  checked("fidelity", contract.fidelityAnswer, { fidelity: await fidelityOfSession(session) });
  checked("overhead", contract.overheadAnswer, await overheadOfSession(session));
  const items = await session.items({ from: 0, to: 50, maxChars: 1000 });
  checked("items", contract.itemsAnswer, JSON.parse(new TextDecoder().decode(items)));
  await breakdowns(session, random);
  await replays(session, random);
  await contributors(session, random);
  await sweep(session, random);
}

/** Returns the answer if it follows the contract. */
function checked<Schema extends z.ZodType>(what: string, schema: Schema, answer: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, 3).map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new Error(`${what} breaks the contract: ${issues.join("; ")}`);
}

function listRow(path: string, { summary, sparkline, version }: Awaited<ReturnType<LocalRunner["ingest"]>>): void {
  const entry = {
    id: "fuzz",
    source: "fuzz",
    kind: "folder" as const,
    agent: null,
    path,
    name: basename(path),
    version,
    placed: {},
  };
  const row = rowOf(entry, { indexed: { summary, sparkline, error: null } });
  sums.sparkline(checked("list row", contract.sessionRow, row));
}

async function breakdowns(session: OpenedSession, random: Random): Promise<void> {
  const last = pointCount(session.columns) - 1;
  const window = random.chance(0.3) ? random.pick(WINDOWS) : undefined;
  for (const choice of [{ at: "last" as const }, { at: random.int(0, last), window }, { at: 0, preset: "ours" }]) {
    const answer = toBreakdownAnswer(await breakdownOfSession(session, choice));
    sums.breakdown(checked("breakdown", contract.breakdown, answer));
  }
}

const WINDOWS = [1, 1000, 20_000, 1_000_000, Number.MAX_SAFE_INTEGER];
const COUNTINGS = ["estimate", "calibrated", "anchored"] as const;

/** Picks a counting mode, or none. */
function countingOf(random: Random): contract.CountingMode | undefined {
  return random.chance(0.25) ? undefined : random.pick(COUNTINGS);
}

/** Replays under the session's own policy and under another one, then compares both with the recording. */
async function replays(session: OpenedSession, random: Random): Promise<void> {
  const own = POLICIES.find(({ id }) => id === session.summary.agent)?.id ?? "custom";
  const { id: other, presets } = random.pick(POLICIES);
  const counting = countingOf(random);
  const window = random.chance(0.5) ? random.pick(WINDOWS) : undefined;
  const runs: contract.ReplayRequest[] = [
    { policy: own, counting },
    { policy: other, preset: random.pick(presets), counting: countingOf(random), window },
    { policy: "recorded" },
  ];
  for (const run of runs) {
    const result = checked("replay", contract.replayResult, await replaySession(session, run));
    sums.replay(result);
    const at = result.compactions[0]?.request;
    if (at === undefined) continue;
    const answer = checked("boundary", contract.boundaryAnswer, await boundaryTextsOfSession(session, { ...run, at }));
    sums.boundary(answer);
  }
  checked("compare", contract.compareAnswer, await compareSession(session, { runs }));
}

async function contributors(session: OpenedSession, random: Random): Promise<void> {
  const { id: policy } = random.pick(POLICIES);
  const last = pointCount(session.columns) - 1;
  for (const by of [random.pick(GROUPINGS), random.pick(GROUPINGS)]) {
    const choice = { at: random.int(0, last), by, policy: random.chance(0.5) ? "recorded" : policy };
    const answer = await contributorsOfSession(session, { ...choice, limit: Number.POSITIVE_INFINITY });
    sums.contributors(checked("contributors", contract.contributors, answer));
  }
}

async function sweep(session: OpenedSession, random: Random): Promise<void> {
  const counting = countingOf(random);
  const plan = { policy: "custom", counting, vary: [{ key: "triggerShare", from: 0.2, to: 0.8, step: 0.3 }] };
  const recording = await replayRecording(session, { policy: "custom" }, undefined);
  const prices = entriesOf(session.columns.tables.models, LISTED_PRICES);
  const task = { plan, recording, prices, costTerms: {}, file: "fuzz", from: 0, to: 3 };
  const points = await new LocalRunner().sweep(task);
  for (const row of sweepRows([points])) sums.totals(checked("sweep", contract.sweepRow, JSON.parse(row)).totals);
}
