import { FRESH_MEASURE, USED_MEASURE } from "@/lib/core/analysis/output-use";
import { calledTools, mcpServerOf, type ServerOff } from "@/lib/core/analysis/unused-tools";
import {
  ownRequests,
  WASTE_KINDS,
  type Waste,
  type WasteKind,
  type WasteRow,
  wasteIn,
} from "@/lib/core/analysis/waste";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { CONTENT_MEASURE } from "@/lib/core/columns/content";
import { allOverhead, type Recording } from "@/lib/core/context/recording";
import { billOf } from "@/lib/core/cost/bill";
import { cacheMisses } from "@/lib/core/cost/cache-misses";
import { dollarsOf } from "@/lib/core/cost/money";
import type { PriceList } from "@/lib/core/prices/price-list";
import type { WasteAnswer, WasteFinding } from "@/lib/queries/contract/types";
import { type CompactedSession, recordedBoundaries } from "../cost/cost-reasons";
import { ReplayCosts } from "../cost/simulated-cost";
import { runReplay } from "../replays/replay-result";
import { contextOf, pricesOf } from "./contributors";

/** Maximum rows of a finding. */
const MAX_ROWS = 50;

const BECAUSE: Readonly<Record<WasteKind, WasteFinding["because"]>> = {
  "unused-tools": "estimated",
  "read-again": "estimated",
  "unused-outputs": "terms",
  instructions: "estimated",
  images: "estimated",
  "idle-misses": "recorded",
  "unpaid-compactions": "estimated",
};
const CONFIDENCE = { recorded: "high", estimated: "moderate", terms: "low" } as const;

/**
 * Waste of a recording, as `waste` prints it.
 * @param recording with the measures of equal contents and of outputs, without which two kinds are unknown
 * @param estimator of the recording's counts
 * @param off the way to turn off an MCP server of the session's agent
 */
export function toWaste(
  session: CompactedSession & Pick<WasteAnswer, "file" | "sessionId">,
  recording: Recording,
  estimator: string,
  prices: PriceList,
  off?: ServerOff,
): WasteAnswer {
  const { columns } = recording;
  const costs = new ReplayCosts(recording, prices);
  const ran = runReplay({ policy: "recorded" }, recording, costs);
  const measured = contextOf(columns, ran.replay, "recorded");
  const inputs = pricesOf(measured, ran, costs);
  const misses = cacheMisses(columns, costs.requests);
  const compactions = recordedBoundaries(
    { session, columns, requests: costs.requests, misses: misses },
    billOf(columns, prices).compactions?.priced ?? [],
  );
  const overhead = allOverhead(recording);
  const { [CONTENT_MEASURE]: content, [FRESH_MEASURE]: fresh, [USED_MEASURE]: used } = columns.measures;
  const use = fresh && used && { fresh, used };
  const found = wasteIn({ measured, overhead, prices: inputs, content, use, misses, compactions });
  const points = measured.series.context;
  const { from = points.length } = ownRequests(columns) ?? {};
  return {
    file: session.file,
    sessionId: session.sessionId,
    estimator,
    sent: points.subarray(from).reduce((sum, tokens) => sum + tokens, 0),
    inputUsd: inputs === undefined ? null : dollarsOf(inputs.upTo(points.length - 1) - inputs.upTo(from - 1)),
    inherited: columns.requests.inherited.reduce((sum, inherited) => sum + inherited, 0),
    findings: found
      .map((one) => ({ ...findingWire(one), servers: unusedServers(one, columns, off) }))
      .sort((a, b) => (b.usd ?? -1) - (a.usd ?? -1)),
    unknown: WASTE_KINDS.filter((kind) => (kind === "read-again" && !content) || (kind === "unused-outputs" && !use)),
  };
}

function findingWire(waste: Waste): Omit<WasteFinding, "servers"> {
  const { kind, rows, outOf = null } = waste;
  const because = BECAUSE[kind];
  return {
    kind,
    count: rows.length,
    outOf,
    tokens: sumOf(rows.map(({ tokens }) => tokens)),
    usd: inDollars(sumOf(rows.map(({ cost }) => cost))),
    because,
    confidence: CONFIDENCE[because],
    rows: rows.slice(0, MAX_ROWS).map(rowWire),
  };
}

function unusedServers(
  { kind, rows }: Waste,
  columns: SessionColumns,
  off: ServerOff | undefined,
): WasteFinding["servers"] {
  if (kind !== "unused-tools") return [];
  const used = new Set([...calledTools(columns)].map(mcpServerOf));
  const byServer = new Map<string, WasteRow[]>();
  for (const row of rows) {
    const name = mcpServerOf(row.name ?? "");
    if (name !== undefined && !used.has(name)) byServer.set(name, [...(byServer.get(name) ?? []), row]);
  }
  const servers = Array.from(byServer, ([name, tools]) => ({
    name,
    tools: tools.length,
    tokens: Math.round(sumOf(tools.map(({ tokens }) => tokens)) ?? 0),
    usd: inDollars(sumOf(tools.map(({ cost }) => cost))),
    off: off === undefined ? null : { text: off.text.replaceAll("<server>", name), file: off.file ?? null },
  }));
  return servers.sort((one, other) => other.tokens - one.tokens);
}

function rowWire(row: WasteRow): WasteFinding["rows"][number] {
  const { name = null, items, request, count, breakEven, tokens = null, cost = null } = row;
  const pays = breakEven !== undefined && Number.isFinite(breakEven);
  return {
    name,
    items: [...items],
    request,
    count,
    breakEven: pays ? breakEven : null,
    tokens: tokens === null ? null : Math.round(tokens),
    usd: inDollars(cost),
  };
}

/** `null` if one is unknown. */
function sumOf(values: readonly (number | undefined)[]): number | null {
  const known = values.filter((value) => value !== undefined);
  return known.length < values.length ? null : known.reduce((sum, value) => sum + value, 0);
}

function inDollars(cost: number | null): number | null {
  return cost === null ? null : dollarsOf(Math.round(cost));
}
