import { z } from "zod";
import { type DatedSession, outcomeOf } from "@/lib/core/advice/outcome";
import type { AdvisedBy } from "@/lib/core/advice/recommend";
import type { OutcomeAnswer } from "@/lib/queries/contract/schemas";
import type { AppliedSetting, AppliedSettings } from "../agent-settings/applied-settings";
import { type IndexColumns, modelsIn, type NumberName } from "../list/index/index-columns";
import { type Listed, listFilter, matching } from "../list/list-filter";
import { textAt, withRequests } from "./asked-sessions";

/** Query of `GET /api/insights/outcome`. */
export const outcomeQuery = listFilter.extend({
  seed: z.coerce.number().int().min(0).default(1).describe("seed of the resampled sessions"),
});
export type OutcomeQuery = z.infer<typeof outcomeQuery>;

/**
 * Applied settings, newest first, each with the recorded sessions of its agent before and after it. The sessions before begin after the previous
 * change of the agent's settings, those after end before the next one. Rejects with `RefusedError` for an invalid condition.
 */
export async function outcomesOf(
  columns: IndexColumns,
  listed: Listed,
  { applied, damagedLines, path }: AppliedSettings,
  { seed, ...filter }: OutcomeQuery,
): Promise<OutcomeAnswer> {
  const places = applied.length === 0 ? [] : withRequests(columns, await matching(columns, listed, filter));
  const changes = applied.map((one) => {
    const { at, from, until } = periodOf(one, applied);
    const { sessions, unknown } = datedSessions(columns, places, one);
    const { kind: _kind, undoneAt = null, predicted, sessions: count, projects, ...facts } = one;
    return {
      ...facts,
      undoneAt,
      predicted: { saving: predicted, sessions: count, projects },
      unknown,
      ...outcomeOf(sessions, { from, at, until }, seed),
    };
  });
  return { changes: changes.toReversed(), file: path, damagedLines };
}

/** The times between which an applied setting was in force, and its predecessor before it. */
function periodOf({ at, agent }: AppliedSetting, all: AppliedSettings["applied"]) {
  const own = Date.parse(at);
  const others = all
    .filter((one) => one.agent === agent)
    .flatMap((one) => [one.at, ...(one.undoneAt === undefined ? [] : [one.undoneAt])])
    .map((time) => Date.parse(time));
  return {
    at: own,
    from: Math.max(Number.NEGATIVE_INFINITY, ...others.filter((time) => time < own)),
    until: Math.min(Number.POSITIVE_INFINITY, ...others.filter((time) => time > own)),
  };
}

/** The column with the metric of a session's own requests. */
const COLUMN: Readonly<Record<AdvisedBy, NumberName>> = {
  cost: "priced",
  tokens: "sent",
  neededAgain: "needed_tokens",
};

/** An agent's sessions with the metric, and the number of those that lack it. */
function datedSessions(columns: IndexColumns, places: Iterable<number>, { agent, by }: AppliedSetting) {
  const [agents, projects, models] = (["agent", "project", "models"] as const).map((name) =>
    textAt(columns.text(name)),
  );
  const number = (name: NumberName) => (place: number) => columns.number(name)[place] ?? Number.NaN;
  const [firstAt, lastAt, requests, metric, unpriced] = (
    ["first_at", "last_at", "counted_requests", COLUMN[by], "unpriced"] as const
  ).map(number);
  const sessions: DatedSession[] = [];
  let unknown = 0;
  for (const place of places) {
    if (agents?.(place) !== agent) continue;
    const session: DatedSession = {
      project: projects?.(place) ?? "",
      model: modelsIn(models?.(place) ?? null)
        .toSorted()
        .join(" "),
      firstAt: firstAt?.(place) ?? Number.NaN,
      lastAt: lastAt?.(place) ?? Number.NaN,
      requests: requests?.(place) ?? Number.NaN,
      value: metric?.(place) ?? Number.NaN,
    };
    const isKnown = [session.firstAt, session.lastAt, session.value].every(Number.isFinite) && session.requests > 0;
    if (isKnown && (by !== "cost" || unpriced?.(place) === 0)) sessions.push(session);
    else unknown++;
  }
  return { sessions, unknown };
}
