import type { PoliciesAnswer, PoliciesRequest } from "@/lib/api/contract";
import { ADVISED_BY, type AdvisedBy, type AdvisedSession, pairedSaving } from "@/lib/core/advice/recommend";
import { figureOf } from "@/lib/questions/recommendation";
import type { ReplayFigures } from "@/lib/questions/session-replays";
import type { LeftOutSession, ReplayedSession } from "../questions/recommend";

/** A session with its replays under all policies, in their order. */
interface Compared {
  readonly file: string;
  readonly project: string;
  readonly runs: readonly ReplayFigures[];
}

/** Policies over sessions that were replayed, each compared with the first: what `POST /api/insights/policies` answers, but for which sessions were asked. */
export function policiesOver(
  replayed: readonly ReplayedSession[],
  asked: PoliciesRequest["runs"],
  seed: number,
): Omit<PoliciesAnswer, "asked" | "leftOut"> & { readonly leftOut: readonly LeftOutSession[] } {
  const sessions: Compared[] = [];
  const leftOut: LeftOutSession[] = [];
  for (const { file, answer } of replayed) {
    if (answer instanceof Error) leftOut.push({ file, why: "unreadable" });
    else if (answer.runs === undefined) leftOut.push({ file, why: answer.notReplayed ?? "no-requests" });
    else sessions.push({ file, project: answer.facts.project ?? "", runs: answer.runs });
  }
  const rows = asked.map(({ policy, preset = null }, at) => {
    const sum = (of: (replay: ReplayFigures) => number) =>
      sessions.reduce((all, { runs }) => all + (runs[at] === undefined ? 0 : of(runs[at])), 0);
    const [cost, tokens, neededAgain] = ADVISED_BY.map((by) => figureOver(sessions, by, at, seed));
    return {
      ...{ policy, preset, cost: cost ?? null, tokens: tokens ?? null, neededAgain: neededAgain ?? null },
      compactions: sum(({ compactions }) => compactions),
      requestsOverWindow: sum(({ totals }) => totals.requestsOverWindow),
    };
  });
  const without = (by: AdvisedBy) => sessions.flatMap((one) => (figuresBy(one, by) === undefined ? [one.file] : []));
  return {
    ...{ sessions: sessions.length, projects: new Set(sessions.map(({ project }) => project)).size, rows, leftOut },
    without: { cost: without("cost"), tokens: without("tokens"), neededAgain: without("neededAgain") },
  };
}

/** A session's figure under every policy; `undefined` where one of them has none. */
function figuresBy({ runs }: Compared, by: AdvisedBy): readonly number[] | undefined {
  const figures = runs.flatMap((run) => figureOf(run, by) ?? []);
  return figures.length < runs.length ? undefined : figures;
}

/** A figure of one policy over the sessions that have it under all of them; `undefined` where none has. */
function figureOver(sessions: readonly Compared[], by: AdvisedBy, at: number, seed: number) {
  const pairs = sessions.flatMap((session): AdvisedSession[] => {
    const figures = figuresBy(session, by);
    const [first, own] = [figures?.[0], figures?.[at]];
    if (first === undefined || own === undefined) return [];
    return [{ project: session.project, current: first, swept: [own], crosses: true }];
  });
  if (pairs.length === 0) return undefined;
  const total = pairs.reduce((sum, { swept: [own = 0] }) => sum + own, 0);
  return { sessions: pairs.length, total, saving: at === 0 ? null : pairedSaving(pairs, seed) };
}
