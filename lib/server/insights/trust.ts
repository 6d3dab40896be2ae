import { sql } from "kysely";
import type { InsightsAnswer } from "@/lib/api/contract";
import { type Listed, type ListFilter, matching } from "../catalog/list-filter";
import type { IndexDatabase } from "../database/database";
import type { Score } from "../session/index-facts";

type Trust = InsightsAnswer["trust"][number];
type Shares = ReadonlyMap<string, Trust["fidelity"]>;

/** The most rows: agents have many versions. */
const MOST = 40;

/** How far the figures of sessions can be trusted, by the version of the agent that wrote them. */
export async function trustOf(database: IndexDatabase, listed: Listed, filter: ListFilter): Promise<Trust[]> {
  const own = database.query
    .selectFrom("sessions")
    .where(matching(database, listed, filter))
    .where("state", "=", "read")
    .where("copy", "=", 0);
  const [groups, errors, scores] = await Promise.all([
    own
      .select([
        ...(["agent", "version"] as const),
        sql<number>`count(*)`.as("sessions"),
        sql<number | null>`sum(fidelity * checked)`.as("met"),
        sql<number | null>`sum(case when fidelity is not null then checked end)`.as("checked"),
        sql<number>`coalesce(sum(case when requests > 0 and cost is null then 1 else 0 end), 0)`.as("unpriced"),
        sql<number>`coalesce(sum(damaged), 0)`.as("damagedLines"),
      ])
      .groupBy(["agent", "version"])
      .orderBy(sql`sessions`, "desc")
      .orderBy("agent")
      .orderBy("version")
      .limit(MOST)
      .execute(),
    medianErrors(database, own),
    sharesOf(database, listed, filter),
  ]);
  return groups.map(({ agent, version, met, checked, ...sums }) => {
    const share = (score: Score) => scores.get(keyOf(agent, version, score)) ?? null;
    return {
      ...{ agent, version, ...sums },
      estimatorError: errors.get(keyOf(agent, version)) ?? null,
      fidelity: met === null || checked === null ? null : { part: Math.round(met), whole: checked },
      ...{ cacheRule: share("cache"), predictorPrecision: share("foreseen"), predictorRecall: share("bought") },
      ...{ summaryRecall: share("summary-recall"), summaryPrecision: share("summary-precision") },
    };
  });
}

function keyOf(...parts: readonly (string | null)[]): string {
  return JSON.stringify(parts);
}

function sessionsOf({ query }: IndexDatabase) {
  return query.selectFrom("sessions");
}

async function medianErrors(
  { query }: IndexDatabase,
  own: ReturnType<typeof sessionsOf>,
): Promise<ReadonlyMap<string, number>> {
  const ranked = own
    .where("accuracy", "is not", null)
    .select([
      ...(["agent", "version", "accuracy"] as const),
      sql<number>`row_number() over (partition by agent, version order by accuracy)`.as("place"),
      sql<number>`count(*) over (partition by agent, version)`.as("sessions"),
    ]);
  const rows = await query
    .selectFrom(ranked.as("ranked"))
    .select(["agent", "version", "accuracy"])
    .where(sql<boolean>`place = (sessions + 1) / 2`)
    .execute();
  return new Map(rows.map(({ agent, version, accuracy }) => [keyOf(agent, version), accuracy ?? 0]));
}

async function sharesOf(database: IndexDatabase, listed: Listed, filter: ListFilter): Promise<Shares> {
  const rows = await database.query
    .selectFrom("sessions")
    .innerJoin("session_scores", "session_scores.id", "sessions.id")
    .select(({ fn }) => [
      ...(["agent", "version", "score"] as const),
      fn.sum<number>("part").as("part"),
      fn.sum<number>("whole").as("whole"),
    ])
    .where(matching(database, listed, filter))
    .where("copy", "=", 0)
    .groupBy(["agent", "version", "score"])
    .execute();
  return new Map(rows.map(({ agent, version, score, part, whole }) => [keyOf(agent, version, score), { part, whole }]));
}
