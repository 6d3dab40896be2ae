import { toolKind } from "@/lib/agents/shared/tool-kinds";
import { type InputPrices, inputPrices, recordedInputs } from "@/lib/core/analysis/input-prices";
import { type ItemCosts, itemCosts, sumOfItems } from "@/lib/core/analysis/item-costs";
import { type MeasuredContext, measuredContext } from "@/lib/core/analysis/measured-context";
import { recordedStays } from "@/lib/core/analysis/stays";
import { declaredTools } from "@/lib/core/analysis/unused-tools";
import { paidCompactions, type Waste, type WasteKind, wasteIn } from "@/lib/core/analysis/waste";
import type { ItemIndex } from "@/lib/core/base/units";
import { boundariesOf, KIND, type SessionColumns } from "@/lib/core/columns/columns";
import { recordedMembership } from "@/lib/core/columns/membership";
import { pointCount } from "@/lib/core/columns/points";
import { type ContextOverhead, recordedOverhead } from "@/lib/core/context/context-overhead";
import { recordedSeries } from "@/lib/core/context/recorded";
import { billOf } from "@/lib/core/cost/bill";
import { cacheMisses } from "@/lib/core/cost/cache-misses";
import { dollarsOf, type MicroDollars } from "@/lib/core/cost/money";
import { type PricedRequest, pricedRequests } from "@/lib/core/cost/priced-requests";
import type { Prices } from "@/lib/core/prices/prices";
import type { SessionSummary } from "@/lib/queries/contract/schemas";
import { recordedBoundaries } from "@/lib/queries/cost/cost-reasons";
import type { WasteTexts } from "../texts/waste-texts";

/** Facts of one session's contents for findings over many sessions. Source: docs/method.md, "Findings over sessions". */
export interface IndexedEvidence {
  /** Files that tools returned, the largest residency first: at most `MAX_FETCHED`. */
  readonly files: readonly Fetched[];
  /** Commands of `shellCommands`, the largest residency of their output first: at most `MAX_FETCHED`. */
  readonly commands: readonly Fetched[];
  /** Tools that the recording declares, the largest first: at most `MAX_TOOLS`. Empty if it declares none. */
  readonly tools: readonly DeclaredTool[];
  /** Repeated files, unused outputs, instructions and images that stay in the context: those with the largest cost of each kind, at most `MAX_FETCHED`. */
  readonly kept: readonly KeptContent[];
  readonly compactions: PaidCompactions;
}

/** Kinds of waste by content that stays in the context; `read-again` and `unused-outputs` need texts. */
const KEPT = ["read-again", "unused-outputs", "instructions", "images"] as const;

interface SentContent {
  readonly name: string;
  /** Tokens × requests that sent them: estimated by size, scaled to the recorded usage. */
  readonly sent: number;
  /** Input cost of these tokens in US dollars; `null` if unknown. */
  readonly usd: number | null;
}

interface KeptContent extends SentContent {
  readonly kind: (typeof KEPT)[number];
}

interface Fetched extends SentContent {
  /** Number of results of tools that return it; results of tools that write it do not count. */
  readonly fetches: number;
}

interface DeclaredTool extends SentContent {
  readonly isCalled: boolean;
}

/** Recorded compactions whose break-even is known, and those among them that did not reach it. */
interface PaidCompactions {
  readonly known: number;
  readonly unpaid: number;
  /** Cost that the unpaid ones did not earn back, in US dollars. */
  readonly unpaidUsd: number;
}

const MAX_FETCHED = 12;
const MAX_TOOLS = 60;

interface EvidenceSource {
  readonly summary: SessionSummary;
  readonly columns: SessionColumns;
  /** By the estimate bytes / 4, scaled to the context's recorded sizes. */
  readonly tokens: Int32Array;
  /** Names of commands by the rows of their calls. */
  readonly commands?: ReadonlyMap<ItemIndex, string> | undefined;
  readonly waste?: WasteTexts | undefined;
}

export function indexedEvidence(source: EvidenceSource, prices: Prices): IndexedEvidence {
  const { summary, columns, tokens, commands = new Map(), waste = {} } = source;
  const counted = { columns, tokens };
  const stays = recordedStays(counted, recordedMembership(columns));
  const measured = measuredContext(columns, stays, recordedSeries(counted));
  const requests = pricedRequests(columns, prices);
  const inputs = recordedInputs(requests);
  const inputCosts = inputs && inputPrices(measured, inputs);
  const overhead = recordedOverhead(counted);
  const costs = itemCosts(measured, inputCosts);
  return {
    files: fetchedFiles(columns, costs),
    commands: fetched(
      costs,
      resultsOf(columns, (row) => commands.get(columns.pair[row] ?? -1)),
    ),
    tools: indexedTools(measured, overhead, inputCosts),
    kept: wasteIn({ measured, overhead, prices: inputCosts, ...waste }).flatMap((one) =>
      keptWaste(one, columns, commands),
    ),
    compactions: compactionFacts(summary, columns, requests, prices),
  };
}

/**
 * The waste by content that stays in the context. Outputs have the names of their commands. Tools are left out, because they are compared over
 * sessions.
 */
function keptWaste(
  { kind, rows }: Waste,
  { pair }: SessionColumns,
  commands: ReadonlyMap<ItemIndex, string>,
): readonly KeptContent[] {
  if (!isKept(kind)) return [];
  return rows.slice(0, MAX_FETCHED).map(({ name = "", items, tokens = 0, cost }) => {
    const named = kind === "unused-outputs" ? (commands.get(pair[items[0] ?? -1] ?? -1) ?? "") : name;
    return { kind, ...sentContent(named, tokens, cost) };
  });
}

function isKept(kind: WasteKind): kind is KeptContent["kind"] {
  return KEPT.some((one) => one === kind);
}

/** Files by the tools' results that returned them. The result of an edit only acknowledges it, so it is left out. */
function fetchedFiles(columns: SessionColumns, costs: ItemCosts): Fetched[] {
  const { tool, file, tables } = columns;
  const isEdit = tables.tools.map((name) => toolKind(name) === "edit");
  return fetched(
    costs,
    resultsOf(columns, (row) => (isEdit[tool[row] ?? -1] === true ? undefined : tables.files[file[row] ?? -1])),
  );
}

/** Rows of results by name. @param nameOf name of a result; `undefined` to leave it out */
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
  return largest(all, MAX_FETCHED);
}

/** The largest declared tools, without declarations that were in no request. */
function indexedTools(
  context: MeasuredContext,
  overhead: ContextOverhead,
  prices: InputPrices | undefined,
): DeclaredTool[] {
  const range = { from: 0, to: pointCount(context.columns) - 1 };
  const declared = declaredTools(context, overhead, range, prices) ?? [];
  return largest(
    declared.flatMap(({ name, residency, cost, isCalled }) =>
      name === "" || residency <= 0 ? [] : [{ ...sentContent(name, residency, cost), isCalled }],
    ),
    MAX_TOOLS,
  );
}

function sentBy(name: string, costs: ItemCosts, rows: readonly number[]): SentContent {
  const { residency, cost } = sumOfItems(costs, rows);
  return sentContent(name, residency, cost);
}

function sentContent(name: string, residency: number, cost: MicroDollars | undefined): SentContent {
  return { name, sent: Math.round(residency), usd: cost === undefined ? null : dollarsOf(Math.round(cost)) };
}

function largest<Sent extends SentContent>(all: readonly Sent[], most: number): Sent[] {
  return all.toSorted((a, b) => b.sent - a.sent).slice(0, most);
}

function compactionFacts(
  session: SessionSummary,
  columns: SessionColumns,
  requests: readonly PricedRequest[],
  prices: Prices,
): PaidCompactions {
  if (boundariesOf(columns, "compaction").length === 0) return { known: 0, unpaid: 0, unpaidUsd: 0 };
  const calls = billOf(columns, prices).compactions?.priced ?? [];
  const misses = cacheMisses(columns, requests);
  const { known, unpaid } = paidCompactions(recordedBoundaries({ session, columns, requests, misses }, calls), columns);
  return { known, unpaid: unpaid.length, unpaidUsd: unpaid.reduce((sum, { cost = 0 }) => sum + dollarsOf(cost), 0) };
}
