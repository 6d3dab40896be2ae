import type { RowView } from "./row-view";

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
  readonly compacted: YesNo;
  readonly problems: YesNo;
  readonly cost: CostFilter | null;
}

/** The first direction of a sort: texts ascend, times and figures descend, since readers look for the newest and the largest. */
export function firstDirection(key: SortKey): Sort {
  const texts: readonly SortKey[] = ["title", "agent", "project", "model"];
  return { key, descending: !texts.includes(key) };
}

/** The rows that pass the filters, sorted. Rows without the sorted figure come last in both directions. */
export function selectRows(rows: readonly RowView[], filters: Filters, sort: Sort): RowView[] {
  const words = filters.q.toLocaleLowerCase().split(/\s+/u).filter(Boolean);
  return rows.filter((row) => isLeft(row, filters, words)).sort(comparator(sort));
}

export function isFiltered({ q, agent, project, model, compacted, problems, cost }: Filters): boolean {
  const isOne = [compacted, problems, cost].some((chosen) => chosen !== null);
  return isOne || q.trim() !== "" || agent.length + project.length + model.length > 0;
}

function isLeft(row: RowView, filters: Filters, words: readonly string[]): boolean {
  return (
    takes(filters.agent, row.agentId) &&
    takes(filters.project, row.project) &&
    (filters.model.length === 0 || row.models.some((model) => filters.model.includes(model))) &&
    agrees(filters.compacted, row.compactions === null ? null : row.compactions > 0) &&
    agrees(filters.problems, hasProblems(row)) &&
    hasCost(filters.cost, row) &&
    holds(row, words)
  );
}

function takes(wanted: readonly string[], value: string | null): boolean {
  return wanted.length === 0 || (value !== null && wanted.includes(value));
}

/** A row whose value is not known yet matches neither yes nor no. */
function agrees(wanted: YesNo, value: boolean | null): boolean {
  return wanted === null || value === (wanted === "yes");
}

/** A file that has not been read, or cannot be, matches neither an amount nor `na`. */
function hasCost(wanted: CostFilter | null, { cost, state }: RowView): boolean {
  if (wanted === null) return true;
  if (wanted === "na") return cost === null && state !== "indexing" && state !== "failed";
  return cost !== null && cost >= Number(wanted);
}

function hasProblems(row: RowView): boolean | null {
  if (row.state === "failed") return true;
  return row.notRead === null ? null : row.notRead > 0 || (row.oddities ?? 0) > 0;
}

/** Every word has to occur somewhere in the row's texts. */
function holds(row: RowView, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const texts = [row.title, row.file, row.project, row.agent?.label, row.agentId, ...row.models];
  const haystack = texts.filter(Boolean).join("\n").toLocaleLowerCase();
  return words.every((word) => haystack.includes(word));
}

type SortValue = string | number | null;

function sortValue(row: RowView, key: SortKey): SortValue {
  switch (key) {
    case "title":
      return row.title;
    case "agent":
      return row.agent?.label ?? null;
    case "project":
      return row.project;
    case "model":
      return row.models[0] ?? null;
    case "when":
      return row.at;
    case "requests":
      return row.requests;
    case "peak":
      return row.peak;
    case "compactions":
      return row.compactions;
    case "sent":
      return row.sent;
    case "cost":
      return row.cost;
    case "notRead":
      return row.notRead;
    default:
      return key satisfies never;
  }
}

function comparator({ key, descending }: Sort): (a: RowView, b: RowView) => number {
  const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
  return (left, right) => {
    const a = sortValue(left, key);
    const b = sortValue(right, key);
    if (a === null || b === null) return Number(a === null) - Number(b === null) || byId(left, right);
    const order = typeof a === "string" || typeof b === "string" ? collator.compare(`${a}`, `${b}`) : a - b;
    return (descending ? -order : order) || byId(left, right);
  };
}

/** Keeps equal rows in one order, whatever the order in which the pages arrived. */
function byId(a: RowView, b: RowView): number {
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly count: number;
}

export interface Options {
  readonly agent: readonly Option[];
  readonly project: readonly Option[];
  readonly model: readonly Option[];
}

/** The values that the filters offer, the most frequent first. */
export function filterOptions(rows: readonly RowView[]): Options {
  return {
    agent: counted(
      rows.flatMap((row) => (row.agentId === null ? [] : [[row.agentId, row.agent?.label ?? row.agentId]])),
    ),
    project: distinct(
      counted(rows.flatMap((row) => (row.project === null ? [] : [[row.project, row.projectName ?? row.project]]))),
    ),
    model: counted(rows.flatMap((row) => row.models.map((model) => [model, model]))),
  };
}

function counted(pairs: readonly (readonly string[])[]): Option[] {
  const options = new Map<string, Option>();
  for (const [value = "", label = value] of pairs) {
    options.set(value, { value, label, count: (options.get(value)?.count ?? 0) + 1 });
  }
  return [...options.values()].sort((a, b) => b.count - a.count || a.label.localeCompare(b.label));
}

/** Labels two folders of the same name by their paths. */
function distinct(options: readonly Option[]): Option[] {
  const uses = new Map<string, number>();
  for (const { label } of options) uses.set(label, (uses.get(label) ?? 0) + 1);
  return options.map((option) => ((uses.get(option.label) ?? 0) > 1 ? { ...option, label: option.value } : option));
}
