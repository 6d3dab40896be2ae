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
type YesNo = "yes" | "no" | null;

/** Filters by cost: at least this many dollars, or `na` for a cost that is not known. */
export const COST_FILTERS = ["1", "10", "100", "na"] as const;
type CostFilter = (typeof COST_FILTERS)[number];

/** What the list is filtered by; an empty list accepts everything. */
export interface Filters {
  readonly q: string;
  readonly agent: readonly string[];
  readonly project: readonly string[];
  readonly model: readonly string[];
  readonly version: readonly string[];
  readonly compacted: YesNo;
  /** Whether the context came near the window. */
  readonly near: YesNo;
  readonly problems: YesNo;
  readonly cost: CostFilter | null;
  /** Conditions as the API has them, such as `day=2026-01-31` and `peak>=100000`: what was opened from a mark of a chart. */
  readonly where: readonly string[];
}

/** What of the address chooses sessions: the same on every page over sessions. */
export const FILTER_KEYS: readonly (keyof Filters)[] = [
  ...(["q", "agent", "project", "model", "version", "compacted", "near", "problems", "cost", "where"] as const),
];

/** The part of an address that chooses sessions, ticked ones included. */
export function insightsQuery(search: URLSearchParams): string {
  const query = new URLSearchParams();
  for (const key of [...FILTER_KEYS, "selected"]) {
    const value = search.get(key);
    if (value !== null && value !== "") query.set(key, value);
  }
  return query.toString();
}

/** What a condition in the address may be about. */
const CONDITION_KEYS = [
  "day",
  "peak",
  "cost",
  "requests",
  "compactions",
  "fill",
  "needed",
  "agent",
  "version",
  "sample",
] as const;

/** A condition in its parts. */
export interface Condition {
  readonly key: (typeof CONDITION_KEYS)[number];
  readonly sign: "=" | ">=" | "<=";
  /** Empty: not known. */
  readonly value: string;
}

/** The keys whose values are texts; those of all others are numbers. */
const TEXTS: ReadonlySet<Condition["key"]> = new Set(["day", "agent", "version"]);

/** The parts of a condition; `undefined` for a text that is none, not about one of these keys, or about no value that its key can have. */
export function parseCondition(text: string): Condition | undefined {
  const [, name, sign, value = ""] = /^([a-z]+)(>=|<=|=)(.*)$/u.exec(text) ?? [];
  const key = CONDITION_KEYS.find((one) => one === name);
  if (key === undefined || (sign !== "=" && sign !== ">=" && sign !== "<=")) return undefined;
  const isSound = value.trim() === "" ? sign === "=" : TEXTS.has(key) || Number.isFinite(Number(value));
  if (!isSound) return undefined;
  return { key, sign, value };
}

/** The first direction of a sort: texts ascend, times and figures descend, since readers look for the newest and the largest. */
export function firstDirection(key: SortKey): Sort {
  const texts: readonly SortKey[] = ["title", "agent", "project", "model"];
  return { key, descending: !texts.includes(key) };
}

export function isFiltered({
  q,
  agent,
  project,
  model,
  version,
  compacted,
  near,
  problems,
  cost,
  where,
}: Filters): boolean {
  const isOne = [compacted, near, problems, cost].some((chosen) => chosen !== null);
  return isOne || q.trim() !== "" || agent.length + project.length + model.length + version.length + where.length > 0;
}
