export const SORT_KEYS = [
  "title",
  "agent",
  "project",
  "model",
  "when",
  "requests",
  "peak",
  "compactions",
  "sent",
  "cost",
  "notRead",
] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface Sort {
  readonly key: SortKey;
  readonly descending: boolean;
}

/** `yes` and `no` of a filter; `null` accepts both. */
export type YesNo = "yes" | "no" | null;

/** Filters by cost: at least this many dollars, or `na` for a cost that is not known. */
export const COST_FILTERS = ["1", "10", "100", "na"] as const;
export type CostFilter = (typeof COST_FILTERS)[number];

/** What the list is filtered by; an empty list accepts everything. */
export interface Filters {
  readonly q: string;
  readonly agent: readonly string[];
  readonly project: readonly string[];
  readonly model: readonly string[];
  readonly version: readonly string[];
  readonly compacted: YesNo;
  readonly problems: YesNo;
  readonly cost: CostFilter | null;
}

/** The first direction of a sort: texts ascend, times and figures descend, since readers look for the newest and the largest. */
export function firstDirection(key: SortKey): Sort {
  const texts: readonly SortKey[] = ["title", "agent", "project", "model"];
  return { key, descending: !texts.includes(key) };
}

export function isFiltered({ q, agent, project, model, version, compacted, problems, cost }: Filters): boolean {
  const isOne = [compacted, problems, cost].some((chosen) => chosen !== null);
  return isOne || q.trim() !== "" || agent.length + project.length + model.length + version.length > 0;
}
