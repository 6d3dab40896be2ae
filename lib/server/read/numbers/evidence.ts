import { toolKind } from "@/lib/agents/shared/tool-kinds";
import { inputPrices, recordedInputs } from "@/lib/core/analysis/input-prices";
import { type ItemCosts, itemCosts, sumOfItems } from "@/lib/core/analysis/item-costs";
import { measuredContext } from "@/lib/core/analysis/measured-context";
import { recordedStays } from "@/lib/core/analysis/stays";
import { calledTools, DECLARING } from "@/lib/core/analysis/unused-tools";
import { categoryCode } from "@/lib/core/base/categories";
import type { ItemIndex } from "@/lib/core/base/units";
import { boundariesOf, KIND, type SessionColumns } from "@/lib/core/columns/columns";
import { recordedMembership } from "@/lib/core/columns/membership";
import { pointCount } from "@/lib/core/columns/points";
import { recordedSeries } from "@/lib/core/context/recorded";
import { billOf } from "@/lib/core/cost/bill";
import { cacheMisses } from "@/lib/core/cost/cache-misses";
import { dollarsOf } from "@/lib/core/cost/money";
import { pricedRequests } from "@/lib/core/cost/priced-requests";
import type { Prices } from "@/lib/core/prices/prices";
import type { SessionSummary } from "@/lib/queries/contract/schemas";
import { recordedBoundaries } from "@/lib/queries/cost/cost-reasons";

/** Facts of one session's contents for findings over many sessions. Source: docs/method.md, "Findings over sessions". */
export interface IndexedEvidence {
  /** Files that tools returned, the largest residency first: at most `MOST_FETCHED`. */
  readonly files: readonly Fetched[];
  /** Commands whose output is among the largest, likewise; those of `shellCommands` alone. */
  readonly commands: readonly Fetched[];
  /** Tools that the recording declares, the largest first: at most `MOST_TOOLS`. Empty if it declares none. */
  readonly tools: readonly DeclaredTool[];
  readonly compactions: PaidCompactions;
}

interface SentContent {
  readonly name: string;
  /** Tokens × requests that sent them: estimated by size, scaled to the recorded usage. */
  readonly sent: number;
  /** Input cost of these tokens in US dollars; `null` if unknown. */
  readonly usd: number | null;
}

interface Fetched extends SentContent {
  /** Number of results of tools that return it; those that write it are left out. */
  readonly fetches: number;
}

interface DeclaredTool extends SentContent {
  readonly isCalled: boolean;
}

/** Recorded compactions whose break-even is known, and those among them that did not reach it. */
interface PaidCompactions {
  readonly known: number;
  readonly unpaid: number;
  /** Cost of the unpaid ones in US dollars: summary calls and uncached tokens. */
  readonly unpaidUsd: number;
}

const MOST_FETCHED = 12;
const MOST_TOOLS = 60;

interface EvidenceSource {
  readonly summary: SessionSummary;
  readonly columns: SessionColumns;
  /** By the estimate bytes / 4: scaled by the context's recorded sizes. */
  readonly tokens: Int32Array;
  /** Names of commands by the rows of their calls. */
  readonly commands?: ReadonlyMap<ItemIndex, string> | undefined;
}

export function indexedEvidence(source: EvidenceSource, prices: Prices): IndexedEvidence {
  const { summary, columns, tokens, commands = new Map() } = source;
  const costs = costsOf(columns, tokens, prices);
  return {
    files: fetchedFiles(columns, costs),
    commands: fetched(
      costs,
      resultsOf(columns, (row) => commands.get(columns.pair[row] ?? -1)),
    ),
    tools: declaredTools(columns, costs),
    compactions: paidCompactions(summary, columns, prices),
  };
}

function costsOf(columns: SessionColumns, tokens: Int32Array, prices: Prices): ItemCosts {
  const counted = { columns, tokens };
  const context = measuredContext(
    columns,
    recordedStays(counted, recordedMembership(columns)),
    recordedSeries(counted),
  );
  const inputs = recordedInputs(pricedRequests(columns, prices));
  return itemCosts(context, inputs && inputPrices(context, inputs));
}

/** The result of an edit only acknowledges it. */
function fetchedFiles(columns: SessionColumns, costs: ItemCosts): Fetched[] {
  const { tool, file, tables } = columns;
  const isEdit = tables.tools.map((name) => toolKind(name) === "edit");
  return fetched(
    costs,
    resultsOf(columns, (row) => (isEdit[tool[row] ?? -1] === true ? undefined : tables.files[file[row] ?? -1])),
  );
}

/** Rows of results by name. @param nameOf of a result; `undefined` for those that are left out */
function resultsOf(
  { kind, overheadRows, length }: SessionColumns,
  nameOf: (row: ItemIndex) => string | undefined,
): ReadonlyMap<string, readonly ItemIndex[]> {
  const rows = new Map<string, ItemIndex[]>();
  for (let row = overheadRows; row < length; row++) {
    const name = kind[row] === KIND.tool_result ? nameOf(row) : undefined;
    if (name === undefined) continue;
    const known = rows.get(name);
    if (known === undefined) rows.set(name, [row]);
    else known.push(row);
  }
  return rows;
}

function fetched(costs: ItemCosts, results: ReadonlyMap<string, readonly ItemIndex[]>): Fetched[] {
  const all = Array.from(results, ([name, rows]) => ({ ...sentBy(name, costs, rows), fetches: rows.length }));
  return largest(all, MOST_FETCHED);
}

/** A declaration that was in no request says nothing. */
function declaredTools(columns: SessionColumns, costs: ItemCosts): DeclaredTool[] {
  const codes = new Set([...DECLARING].map(categoryCode));
  const called = calledTools(columns);
  const tools: DeclaredTool[] = [];
  for (let row = 0; row < columns.overheadRows - 1; row++) {
    const name = columns.tables.overhead[row] ?? "";
    if (!codes.has(columns.category[row] ?? -1) || name === "") continue;
    tools.push({ ...sentBy(name, costs, [row]), isCalled: called.has(name) });
  }
  return largest(
    tools.filter(({ sent }) => sent > 0),
    MOST_TOOLS,
  );
}

function sentBy(name: string, costs: ItemCosts, rows: readonly number[]): SentContent {
  const { residency, cost } = sumOfItems(costs, rows);
  return { name, sent: Math.round(residency), usd: cost === undefined ? null : dollarsOf(Math.round(cost)) };
}

function largest<Sent extends SentContent>(all: readonly Sent[], most: number): Sent[] {
  return all.toSorted((a, b) => b.sent - a.sent).slice(0, most);
}

/** A compaction has paid if as many requests followed before the next one, or the end, as its break-even takes. */
function paidCompactions(session: SessionSummary, columns: SessionColumns, prices: Prices): PaidCompactions {
  const none = { known: 0, unpaid: 0, unpaidUsd: 0 };
  if (boundariesOf(columns, "compaction").length === 0) return none;
  const requests = pricedRequests(columns, prices);
  const calls = billOf(columns, prices).compactions?.priced ?? [];
  const breaks = cacheMisses(columns, requests);
  const costs = recordedBoundaries({ session, columns, requests, breaks }, calls);
  const ends = [...costs.slice(1).map(({ request }) => request), pointCount(columns)];
  return costs.reduce((sum, { request, rewriting, call, breakEven }, index) => {
    if (breakEven === undefined || rewriting === undefined || call === undefined) return sum;
    const isPaid = (ends[index] ?? 0) - request >= breakEven;
    return {
      known: sum.known + 1,
      unpaid: sum.unpaid + Number(!isPaid),
      unpaidUsd: sum.unpaidUsd + (isPaid ? 0 : dollarsOf(rewriting + call)),
    };
  }, none);
}
