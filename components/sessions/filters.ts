import { NEAR_LIMIT } from "@/lib/core/base/facet-keys";
import type { SessionsFilter } from "@/lib/queries/client/client";
import type { SessionChoices } from "@/lib/queries/contract/types";

/** Number of files that could not be read as sessions: the condition `state=failed` of the API. */
export function failedFiles({ choices }: SessionChoices): number {
  return choices.state.find(({ value }) => value === "failed")?.sessions ?? 0;
}

/** Number of sessions, copies included and failed files left out: the one that list, filters, sources and insights show. */
export function readSessions(found: SessionChoices): number {
  return found.total.sessions - failedFiles(found);
}

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

/** Filters by cost: at least this many dollars, or `na` for an unknown cost. */
export const COST_FILTERS = ["1", "10", "100", "na"] as const;
type CostFilter = (typeof COST_FILTERS)[number];

/** The filters of the list; an empty list accepts everything. */
export interface Filters {
  readonly q: string;
  readonly agent: readonly string[];
  readonly project: readonly string[];
  readonly model: readonly string[];
  readonly version: readonly string[];
  readonly compacted: YesNo;
  /** `yes`: the context came near the window. */
  readonly near: YesNo;
  readonly problems: YesNo;
  readonly cost: CostFilter | null;
  /** Conditions as in the API, such as `day=2026-01-31` and `peak>=100000`: set by a mark of a chart. */
  readonly where: readonly string[];
}

/** Parts of the address that select sessions: the same on every page over sessions. */
export const FILTER_KEYS: readonly (keyof Filters)[] = [
  ...(["q", "agent", "project", "model", "version", "compacted", "near", "problems", "cost", "where"] as const),
];

/** The part of an address that selects sessions, ticked ones included. */
export function insightsQuery(search: URLSearchParams): string {
  const query = new URLSearchParams();
  for (const key of [...FILTER_KEYS, "selected"]) {
    const value = search.get(key);
    if (value !== null && value !== "") query.set(key, value);
  }
  return query.toString();
}

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

export interface Condition {
  readonly key: (typeof CONDITION_KEYS)[number];
  readonly sign: "=" | ">=" | "<=";
  /** Empty: unknown. */
  readonly value: string;
}

/** The keys with texts as values; those of all others are numbers. */
const TEXTS: ReadonlySet<Condition["key"]> = new Set(["day", "agent", "version"]);

/** The parts of a condition; `undefined` for an invalid one, an unknown key, or a value that its key cannot have. */
export function parseCondition(text: string): Condition | undefined {
  const [, name, sign, value = ""] = /^([a-z]+)(>=|<=|=)(.*)$/u.exec(text) ?? [];
  const key = CONDITION_KEYS.find((one) => one === name);
  if (key === undefined || (sign !== "=" && sign !== ">=" && sign !== "<=")) return undefined;
  const isSound = value.trim() === "" ? sign === "=" : TEXTS.has(key) || Number.isFinite(Number(value));
  if (!isSound) return undefined;
  return { key, sign, value };
}

/** The first direction of a sort: texts ascend, times and numbers descend, since users look for the newest and the largest. */
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

/** Unreadable files in the list: all that match, none, or only these. */
type Unread = "among" | "folded" | "only";

/** The longest search text that the server takes. */
export const MAX_CHARS = 200;

/** The request to the server for these filters. */
export function filterRequest(filters: Filters): Required<SessionsFilter> {
  const { q, agent, project, model, version, compacted, near, problems, cost, where } = filters;
  const any = { agent, project, model, version };
  return {
    q: q.trim().slice(0, MAX_CHARS),
    where: [
      ...Object.entries(any).flatMap(([key, values]) => values.map((value) => `${key}=${value}`)),
      ...yesNo("compacted", compacted),
      ...(near === null ? [] : [`fill${near === "yes" ? ">=" : "<"}${NEAR_LIMIT}`]),
      ...yesNo("faulty", problems),
      // An unread file may have a cost: it is not among those without one.
      ...where,
      ...(cost === "na" ? ["cost=", "state=read"] : cost === null ? [] : [`cost>=${cost}`]),
    ],
  };
}

/** The request for all sessions that filters select from: samples are among them only if they are asked for. */
export function unfilteredRequest({ where }: SessionsFilter): Required<SessionsFilter> {
  return { q: "", where: where?.filter((one) => parseCondition(one)?.key === "sample") ?? [] };
}

function yesNo(key: string, chosen: Filters["compacted"]): string[] {
  return chosen === null ? [] : [`${key}=${chosen === "yes" ? 1 : 0}`];
}

/** The API's sort keys that differ from the page's. */
const API_SORTS: Partial<Record<SortKey, string>> = { peak: "peakShare" };

export function listRequest(filters: Filters, { key, descending }: Sort, unread: Unread) {
  const { q, where } = filterRequest(filters);
  const states = { among: [], folded: ["state!=failed"], only: ["state=failed"] }[unread];
  return { q, where: [...where, ...states], sort: `${descending ? "-" : ""}${API_SORTS[key] ?? key}` };
}

/** Filters of the list, in the order of the panel. */
export const FACETS = ["agent", "project", "model", "version", "compacted", "near", "problems", "cost"] as const;
export type FacetKey = (typeof FACETS)[number];

/** Change of the filters by a choice; `null` is not a filter. */
type FilterChange = {
  [Key in FacetKey]?: Filters[Key] extends readonly string[] ? string[] | null : Filters[Key];
};

/** The change when a value is selected or deselected. Some facets take several values. */
export function toggled(filters: Filters, facet: FacetKey, value: string): FilterChange {
  if (facet === "compacted" || facet === "near" || facet === "problems" || facet === "cost") {
    const isChosen = filters[facet] === value;
    if (facet === "cost") return { cost: isChosen ? null : (COST_FILTERS.find((one) => one === value) ?? null) };
    return { [facet]: isChosen ? null : value === "yes" ? "yes" : "no" };
  }
  const others = filters[facet].filter((one) => one !== value);
  const chosen = others.length < filters[facet].length ? others : [...others, value];
  return { [facet]: chosen.length === 0 ? null : chosen };
}

/** All selected values, in the order of the panel. */
export function chosenOptions(filters: Filters): { readonly facet: FacetKey; readonly value: string }[] {
  return FACETS.flatMap((facet) => {
    const chosen = filters[facet];
    const values = chosen === null ? [] : typeof chosen === "string" ? [chosen] : chosen;
    return values.map((value) => ({ facet, value }));
  });
}
