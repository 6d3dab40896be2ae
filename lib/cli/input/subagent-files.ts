import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { profileOf } from "@/lib/agents/registry";
import type { Prices } from "@/lib/core/prices/prices";
import { costOfSession } from "@/lib/queries/answers/questions";
import type { Cost } from "@/lib/queries/contract/schemas";
import type { CostTerms } from "@/lib/queries/cost/cost-terms";
import { requestMetrics } from "@/lib/queries/cost/request-metrics";
import { joinedParts, ownMetrics } from "@/lib/server/list/index/own-metrics";
import { relate } from "@/lib/server/list/relations/relations";
import { OpenedSession } from "@/lib/server/sessions/opened-session";
import type { TaskRunner } from "@/lib/server/threads/tasks";

/**
 * A session's cost with that of its subagents, if its agent keeps their files beside it. Requests that both files hold count once. Unreadable files
 * are skipped.
 */
export async function costWithSubagents(
  path: string,
  session: OpenedSession,
  runner: TaskRunner,
  terms: CostTerms,
  prices: Prices,
): Promise<Cost> {
  const cost = costOfSession(session, terms, prices);
  const opened = await Promise.all(
    (await subagentFiles(path, session.summary.agent)).map((file) => open(file, runner)),
  );
  const subagents = opened.filter((one) => one !== undefined);
  if (subagents.length === 0) return cost;
  const related = relate([inputOf(path, session), ...subagents.map(({ file, session: one }) => inputOf(file, one))]);
  const parts = subagents.map(({ file, session: one }) => {
    const elsewhere = related.get(file)?.elsewhere ?? [];
    if (elsewhere.length === 0) return costOfSession(one, terms, prices).bill;
    const metrics = requestMetrics(one.columns, prices, undefined);
    const { classes, models } = one.requestKeys;
    const kept = { classes, models, metrics, startedAt: 0 };
    return ownMetrics(
      kept,
      elsewhere.map(({ row }) => row),
      [],
    ).bill;
  });
  const all = [cost.bill.subagents, ...parts.flatMap(({ own, branches, compactions }) => [own, branches, compactions])];
  const part = joinedParts(all.filter((one) => one !== null));
  return { ...cost, bill: { ...cost.bill, subagents: part && { ...part, files: subagents.length } } };
}

async function open(file: string, runner: TaskRunner) {
  try {
    const name = basename(file);
    return { file, session: new OpenedSession(file, await runner.run("ingest", { path: file, name }), runner) };
  } catch {
    return undefined; // The file vanished, or is not a transcript.
  }
}

function inputOf(id: string, { summary, requestKeys: keys }: OpenedSession) {
  return { id, summary, placed: {}, keys };
}

/** Files of a session's subagents. */
async function subagentFiles(path: string, agent: string | null): Promise<readonly string[]> {
  const rule = profileOf(agent)?.places.subagents;
  if (rule === undefined) return [];
  const folder = join(dirname(path), rule.folder(basename(path).replace(/\.jsonl(?:\.(?:gz|zst|br))?$/i, "")));
  try {
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    return found
      .filter((entry) => entry.isFile() && rule.name.test(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort();
  } catch {
    return []; // Most sessions have no such folder.
  }
}
