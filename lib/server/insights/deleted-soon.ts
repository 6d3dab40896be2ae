import type { InsightsAnswer } from "@/lib/queries/contract/schemas";
import type { IndexColumns, Places } from "../list/index/index-columns";
import type { Listed } from "../list/list-filter";

const DAY_MS = 24 * 3600 * 1000;
/** Sessions that are deleted within this number of days are listed. */
const WITHIN_DAYS = 7;
/** Maximum number of sessions per agent that the answer names. */
const MAX_IDS = 100;

type DeletedSoon = InsightsAnswer["deletedSoon"][number];

/**
 * Sessions whose files their agent will delete within a week, because they have not changed for a long time. Overdue ones are included, because the
 * agent deletes only when it starts. Covers files in the agent's own folders, without subagents' files.
 * @param now in milliseconds since 1970
 */
export function deletedSoon(
  columns: IndexColumns,
  places: Places,
  { deletions = [] }: Pick<Listed, "deletions">,
  now: number,
): DeletedSoon[] {
  if (deletions.length === 0) return [];
  const [source, subagent] = [columns.text("source"), columns.text("subagent")];
  const [modified, gone] = [columns.number("modified"), columns.number("gone")];
  const bySource = new Map(deletions.map((one) => [one.source, one]));
  const found = new Map<string, { readonly agent: string; readonly days: number; readonly due: [number, number][] }>();
  for (const place of places) {
    const rule = bySource.get(source.values[source.codes[place] ?? 0] ?? "");
    const isOfSubagent = (subagent.values[subagent.codes[place] ?? 0] ?? null) !== null;
    if (rule === undefined || isOfSubagent || gone[place] === 1) continue;
    const at = (modified[place] ?? Number.NaN) + rule.days * DAY_MS;
    if (!(at <= now + WITHIN_DAYS * DAY_MS)) continue;
    const key = `${rule.agent} ${rule.days}`;
    const known = found.get(key) ?? { agent: rule.agent, days: rule.days, due: [] };
    known.due.push([at, place]);
    found.set(key, known);
  }
  return Array.from(found.values(), ({ agent, days, due }) => {
    const first = due.sort(([a], [b]) => a - b).slice(0, MAX_IDS);
    const ids = first.map(([, place]) => columns.ids[place] ?? "");
    return { agent, days, within: WITHIN_DAYS, sessions: due.length, ids };
  });
}
