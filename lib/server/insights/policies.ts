import { type AdvisedSession, advisedColumns } from "@/lib/core/advice/advised";
import { ADVISER, type Adviser } from "@/lib/core/advice/adviser";
import { ADVISED_BY, type AdvisedBy } from "@/lib/core/advice/recommend";
import type { LeftOutSession, ReplayedSession } from "@/lib/queries/answers/recommend";
import type { PoliciesAnswer, PoliciesRequest } from "@/lib/queries/contract/schemas";
import { lowerBoundsOf, metricOf } from "@/lib/queries/replays/recommendation";
import type { ReplayMetrics } from "@/lib/queries/replays/session-replays";

/** A session with its replays under all policies, in order. */
interface Compared {
  readonly file: string;
  readonly project: string;
  readonly runs: readonly ReplayMetrics[];
}

/**
 * Policies over replayed sessions, each compared with the first: the answer of `POST /api/insights/policies` without its selection of sessions.
 * @param adviser resamples the sessions
 */
export async function policiesOver(
  replayed: readonly ReplayedSession[],
  asked: PoliciesRequest["runs"],
  seed: number,
  adviser: Adviser = ADVISER,
): Promise<Omit<PoliciesAnswer, "asked" | "leftOut"> & { readonly leftOut: readonly LeftOutSession[] }> {
  const { sessions, leftOut } = compared(replayed);
  const [cost, tokens, neededAgain] = await Promise.all(
    ADVISED_BY.map((by) => columnOf(sessions, by, asked.length, seed, adviser)),
  );
  const rows = asked.map(({ policy, preset = null }, at) => {
    const sum = (of: (replay: ReplayMetrics) => number) =>
      sessions.reduce((all, { runs }) => all + (runs[at] === undefined ? 0 : of(runs[at])), 0);
    return {
      policy,
      preset,
      cost: cost?.[at] ?? null,
      tokens: tokens?.[at] ?? null,
      neededAgain: neededAgain?.[at] ?? null,
      compactions: sum(({ compactions }) => compactions),
      requestsOverWindow: sum(({ totals }) => totals.requestsOverWindow),
    };
  });
  const without = (by: AdvisedBy) => sessions.flatMap((one) => (metricsBy(one, by) === undefined ? [one.file] : []));
  return {
    sessions: sessions.length,
    projects: new Set(sessions.map(({ project }) => project)).size,
    rows,
    leftOut,
    lowerBounds: lowerBoundsOf(sessions.flatMap((one) => (metricsBy(one, "cost") === undefined ? [] : [one.runs[0]]))),
    without: { cost: without("cost"), tokens: without("tokens"), neededAgain: without("neededAgain") },
  };
}

function compared(replayed: readonly ReplayedSession[]) {
  const sessions: Compared[] = [];
  const leftOut: LeftOutSession[] = [];
  for (const { file, answer } of replayed) {
    if (answer instanceof Error) leftOut.push({ file, why: "unreadable" });
    else if (answer.runs === undefined) leftOut.push({ file, why: answer.notReplayed ?? "no-requests" });
    else sessions.push({ file, project: answer.facts.project ?? "", runs: answer.runs });
  }
  return { sessions, leftOut };
}

/** A session's metric under every policy; `undefined` if one of them has none. */
function metricsBy({ runs }: Compared, by: AdvisedBy): readonly number[] | undefined {
  const metrics = runs.flatMap((run) => metricOf(run, by) ?? []);
  return metrics.length < runs.length ? undefined : metrics;
}

/** A metric of every policy over the sessions that have it under all of them; `undefined` if none has. */
async function columnOf(
  sessions: readonly Compared[],
  by: AdvisedBy,
  policies: number,
  seed: number,
  adviser: Adviser,
) {
  const known = sessions.flatMap((session): AdvisedSession[] => {
    const swept = metricsBy(session, by);
    return swept?.[0] === undefined ? [] : [{ project: session.project, current: swept[0], swept, crosses: true }];
  });
  if (known.length === 0) return undefined;
  const columns = advisedColumns(known);
  const others = columns.swept.slice(1).map((own) => ({ ...columns, swept: [own] }));
  const savings = await adviser.changes(others, seed);
  return Array.from({ length: policies }, (_, at) => {
    const total = known.reduce((sum, { swept }) => sum + (swept[at] ?? 0), 0);
    return { sessions: known.length, total, saving: at === 0 ? null : (savings[at - 1] ?? null) };
  });
}
