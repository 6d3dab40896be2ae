import { POLICIES } from "@/lib/agents/registry";
import { SHIPPED_TOOLS } from "@/lib/agents/shared/shipped-tools";
import { arraysOf } from "@/lib/core/bundle/arrays";
import { PublicNames } from "@/lib/core/bundle/names";
import type { AnyArray } from "@/lib/core/columns/codec";
import type { SessionColumns } from "@/lib/core/columns/columns";
import type { ContextOverhead } from "@/lib/core/context/context-overhead";
import { isSizeEstimator } from "@/lib/core/tokens/estimator";
import type { BundleHeader } from "@/lib/queries/contract/bundle";
import { InputError } from "../base/input-error";
import { ESTIMATOR_IDS, presetsOf } from "../read/numbers/estimators";
import { indexFacts } from "../read/numbers/index-facts";
import { hasMeasures, REFETCH_MEASURE } from "../read/numbers/measures";
import { resumeOfSession } from "../read/numbers/summary-checks";
import { overheadOfReport } from "../sessions/agent-reports";
import type { OpenedSession } from "../sessions/opened-session";

/** The format of a release version. Other values are omitted, since they may hold any text. */
const VERSION = /^v?\d[\d.]{0,30}(?:-(?:alpha|beta|rc|dev|nightly|preview|canary)[\d.]{0,20})?$/;

/**
 * A session as numbers alone, line by line: docs/interfaces.md, "Bundle". It is counted by every estimator and measured for every policy, since that cannot be
 * done without the texts. Rejects with `InputError`.
 */
export async function* bundleLines(session: OpenedSession): AsyncGenerator<string> {
  if (session.summary.numbersOnly) throw new InputError("unreadable", `${session.summary.file} is a bundle already.`);
  const arrays = [...arraysOf(session.columns), ...(await tokensOf(session)), ...(await measuresOf(session))];
  yield `${JSON.stringify({ ...(await bundleFacts(session)), lines: arrays.length })}\n`;
  const known = new Map<string, string>();
  for (const [column, array] of arrays) {
    const values = valuesOf(array);
    const as = known.get(values);
    yield `{"column":"${column}",${as === undefined ? `"values":[${values}]` : `"as":"${as}"`}}\n`;
    if (as === undefined && values.length > 0) known.set(values, column);
  }
}

type Named = readonly [column: string, array: AnyArray];

/** Columns of all estimators; those based on sizes follow from the sizes. */
async function tokensOf(session: OpenedSession): Promise<readonly Named[]> {
  const ids = ESTIMATOR_IDS.flatMap((id) => [id, ...presetsOf(id).map((preset) => `${id}@${preset}`)]);
  const columns: Named[] = [];
  await session.countTogether(ids); // One pass over the texts, for all of them.
  for (const id of ids) if (!isSizeEstimator(id)) columns.push([`tokens:${id}`, await session.tokens(id)]);
  return columns;
}

async function measuresOf(session: OpenedSession): Promise<readonly Named[]> {
  const columns: Named[] = [];
  const names = [...POLICIES.map(({ id }) => id), REFETCH_MEASURE, "contents"].filter(hasMeasures);
  await session.columnsFor(names); // One pass over the texts, for all of them.
  for (const name of names) {
    const { measures } = await session.columnsFor([name]);
    for (const [measure, array] of Object.entries(measures)) columns.push([`measures:${name}:${measure}`, array]);
  }
  return columns;
}

/** Numbers separated by commas; a missing one is `null`. */
function valuesOf(array: AnyArray): string {
  return array instanceof Float64Array
    ? Array.from(array, (value) => (Number.isNaN(value) ? "null" : `${value}`)).join(",")
    : array.join(",");
}

/** The first line of a bundle. Rejects with `InputError`. */
export async function bundleFacts(session: OpenedSession): Promise<Omit<BundleHeader, "lines">> {
  const { summary, columns } = session;
  const names = new PublicNames(SHIPPED_TOOLS);
  const tables = publicTables(names.tables(columns.tables));
  const { agentVersion, records, models, problems } = summary;
  const { format, agent, formatVersion, startedAt, endedAt, contextWindow, messages, requests, usage } = summary;
  return {
    contextReplayBundle: 2,
    format,
    agent,
    agentVersion: agentVersion !== null && VERSION.test(agentVersion) ? agentVersion : null,
    formatVersion,
    startedAt,
    endedAt,
    models: models.map((model) => names.model(model)),
    contextWindow,
    records: { total: records.total, damagedTotal: records.damagedTotal },
    messages,
    requests,
    usage,
    peakContext: summary.peakContext,
    lastContext: summary.lastContext,
    compactions: summary.compactions.map(({ filesIncluded: _, parentUuid: __, ...metrics }) => metrics),
    subagents: summary.sidechains,
    problems: problems.map(({ code, count }) => ({ code, count })),
    resume: await resumeOfSession(numbersOf(session)),
    rows: {
      items: columns.length,
      overheadRows: columns.overheadRows,
      requests: columns.requests.length,
      boundaries: columns.boundaries.length,
      extra: columns.extra.length,
    },
    tables,
    overhead: overheadOf(await overheadOfReport(session, undefined), names),
    told: await listFacts(session),
  };
}

function publicTables({ tools, files, models, terms, overhead }: SessionColumns["tables"]): BundleHeader["tables"] {
  return { tools: [...tools], files: [...files], models: [...models], terms: [...terms], overhead: [...overhead] };
}

function overheadOf(overhead: ContextOverhead | undefined, names: PublicNames): BundleHeader["overhead"] {
  if (overhead === undefined) return null;
  const { categories, declaredTokens } = overhead;
  return {
    categories: categories.map(({ id, tokens, items }) => ({
      id,
      tokens,
      items: items.map((item) => ({ name: names.tool(item.name), tokens: item.tokens })),
    })),
    ...(declaredTokens === undefined ? {} : { declaredTokens }),
  };
}

async function listFacts(session: OpenedSession): Promise<BundleHeader["told"]> {
  const { needed, scores } = await indexFacts(numbersOf(session), "");
  return { needed, scores: scores.map((score) => ({ ...score })) };
}

/** A session's numbers, for checks and index facts. */
function numbersOf(session: OpenedSession) {
  const { summary, columns } = session;
  return {
    summary,
    columns,
    tokens: (estimator: string) => session.tokens(estimator),
    columnsFor: (policy: string) => session.columnsFor([policy]),
    ledger: (asked: Parameters<OpenedSession["ledger"]>[0]) => session.ledger(asked),
  };
}
