import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { policyChoice, withSettings } from "@/components/session/shared/state/replay-choice";
import { parseSetting } from "@/components/session/shared/state/url-state";
import { toRowView } from "@/components/sessions/row-view";
import { POLICIES } from "@/lib/agents/registry";
import { compare } from "@/lib/cli/commands/compare";
import { inspect } from "@/lib/cli/commands/inspect";
import { replay as replayCommand } from "@/lib/cli/commands/replay";
import { exportSessions } from "@/lib/cli/export/export";
import { settingOption } from "@/lib/cli/input/arguments";
import { decodeColumns } from "@/lib/core/columns/codec";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import type { CountingMode } from "@/lib/core/compaction/replay";
import type { ReplayTotals } from "@/lib/core/compaction/replay-totals";
import { recordingOf } from "@/lib/core/context/recording";
import { pricesOfModels } from "@/lib/core/prices/prices";
import { isSizeEstimator } from "@/lib/core/tokens/estimator";
import * as contract from "@/lib/queries/contract/schemas";
import { ReplayCosts } from "@/lib/queries/cost/simulated-cost";
import { replayPrepared, settingsInForce } from "@/lib/queries/replays/replay-result";
import { RECORDINGS } from "@/lib/queries/testing/sessions";
import { allRequests, peakShare, recordedPeak } from "@/lib/queries/wire/recorded-facts";
import type { TableName } from "./export/tables";
import { fixtureFiles } from "./testing/files";
import { listedRow } from "./testing/listed-rows";
import { printed } from "./testing/printed";
import { ask, routeOf } from "./testing/routes";
import { idOf, servedSamples } from "./testing/serving";

const columnsRoute = routeOf("GET", "/api/sessions/{id}/columns");
const sessionRoute = routeOf("GET", "/api/sessions/{id}");

/**
 * The page replays in the browser over columns that it fetched, the command line over columns that it read. The same file, policy, preset, settings,
 * window, estimator and counting give the same result, also with the default counting.
 */
const FILES = ["claude-code-report-timezone.jsonl", "codex-duplicate-messages.jsonl"] as const;
servedSamples(FILES);

interface ReplayQuery {
  readonly policy: string;
  readonly preset: string;
  readonly window?: number;
  readonly estimator: string;
  readonly counting?: CountingMode;
  /** As written in the address and after `--set`. */
  readonly set: Readonly<Record<string, string>>;
}

/** Compared parts of both results. */
interface Compared {
  readonly window: number;
  /** The mode that was named, else the one in force. */
  readonly counting: CountingMode;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly context: readonly number[];
  readonly totals: readonly number[];
  readonly compactions: readonly (readonly unknown[])[];
}

/** The page's cached requests to the server. */
async function fetched(file: string) {
  const id = await idOf(file);
  const { summary, prices } = contract.sessionAnswer.parse(await (await ask(sessionRoute, "/", { id })).json());
  const known = new Map<string, Promise<SessionColumns>>();
  const columns = (wanted: string) => {
    const answer = known.get(wanted) ?? ask(columnsRoute, `/columns?${wanted}`, { id }).then(decoded);
    known.set(wanted, answer);
    return answer;
  };
  return { summary, prices: pricesOfModels(prices), columns };
}

async function decoded(response: Response): Promise<SessionColumns> {
  expect(response.status).toBe(200);
  return decodeColumns(new Uint8Array(await response.arrayBuffer()));
}

async function inThePage(
  { summary, prices, columns }: Awaited<ReturnType<typeof fetched>>,
  asked: ReplayQuery,
): Promise<Compared> {
  const bare = await columns("");
  const { policy, preset, counting = null, window = null, estimator } = asked;
  const tokens = isSizeEstimator(estimator)
    ? sizeTokenColumn(bare, estimator)
    : (await columns(`tokens=${estimator}`)).tokens[estimator];
  if (tokens === undefined) throw new Error(`no tokens of ${estimator}`);
  const chosen = policyChoice(
    { policy, preset, counting, window },
    "custom",
    recordingOf(summary, { columns: bare, tokens }),
    new ReplayCosts({ columns: bare }, prices),
  );
  const values = Object.fromEntries(Object.entries(asked.set).map(([key, text]) => [key, parseSetting(text)]));
  const choice = withSettings(chosen, values);
  const needs = choice.policy.measures !== undefined;
  const measured = needs ? { ...bare, measures: (await columns(`measures=${policy}`)).measures } : bare;
  const run = replayPrepared(choice, choice.counting, recordingOf(summary, { columns: measured, tokens }));
  const { requests, peak, final, tokensSent, summaryCallTokens, tokensRewritten, requestsOverWindow } = run.totals;
  return {
    window: choice.window.tokens,
    counting: counting ?? choice.counting,
    settings: settingsInForce(choice),
    context: Array.from(run.context),
    totals: [requests, peak, final, tokensSent, summaryCallTokens, tokensRewritten, requestsOverWindow],
    compactions: run.compactions.map((one) => [
      ...[one.request, one.trigger, one.outcome, one.tokensBefore, one.tokensAfter, one.summaryTokens],
      ...[one.keptItems, one.droppedItems, one.cleared.length],
    ]),
  };
}

async function onTheCommandLine(file: string, asked: ReplayQuery): Promise<Compared> {
  const { policy, preset, set, ...rest } = asked;
  const given = Object.entries(set).reduce((all, [key, text]) => settingOption(`${key}=${text}`, all), {});
  const options = { ...rest, policy: `${policy}@${preset}`, set: given, json: true };
  const json = await printed(() => replayCommand(join("public", "samples", file), options));
  const { totals, series, compactions, window, settings, counting } = contract.replayResult.parse(JSON.parse(json));
  const { requests, peak, final, tokensSent, summaryCallTokens, tokensRewritten, requestsOverWindow } = totals;
  return {
    window: window.tokens,
    counting: asked.counting ?? counting,
    settings,
    context: series.contextTokens,
    totals: [requests, peak, final, tokensSent, summaryCallTokens, tokensRewritten ?? -1, requestsOverWindow],
    compactions: compactions.map((one) => [
      ...[one.request, one.trigger, one.outcome, one.tokensBefore, one.tokensAfter, one.summaryTokens],
      ...[one.keptItems, one.droppedItems, one.clearedItems],
    ]),
  };
}

/** Every number among a policy's own settings at half of its default, on the slider's steps. */
function halved(policy: string, preset: string, window: number): Record<string, string> {
  const specs = POLICIES.find(({ id }) => id === policy)?.settings(preset, { window, agent: null }) ?? [];
  const values = specs.flatMap((spec) => {
    if (spec.type !== "number" || spec.key === "summaryTokens") return [];
    const half = Math.max(spec.min, Math.round(spec.default / 2 / spec.step) * spec.step);
    return [[spec.key, String(Number(half.toFixed(6)))]];
  });
  return Object.fromEntries(values);
}

const CHOICES = POLICIES.flatMap(({ id, presets }) => presets.map((preset) => [id, preset] as const));
const WINDOW = 60_000;

function queriesOf(policy: string, preset: string): readonly ReplayQuery[] {
  const common = { policy, preset, estimator: "bytes-4" } as const;
  return [
    { ...common, set: {} },
    { ...common, window: WINDOW, set: { summaryTokens: "900" } },
    { ...common, counting: "anchored", set: {} },
    { ...common, counting: "estimate", window: WINDOW, set: { failSummary: "always" } },
    {
      ...common,
      counting: "calibrated",
      window: 90_000,
      estimator: "o200k",
      set: { failSummary: "2", summaryTokens: "900", entryTruncation: "true" },
    },
    { ...common, counting: "estimate", window: WINDOW, set: halved(policy, preset, WINDOW) },
  ];
}

describe.each(FILES)("session %s", (file) => {
  const place = FILES.indexOf(file);
  let session: Awaited<ReturnType<typeof fetched>>;
  let compactions = 0;
  beforeAll(async () => {
    session = await fetched(file);
  });

  it.each(CHOICES)("%s@%s: page and command line give the same numbers", async (policy, preset) => {
    // Each query runs on one of the recordings; the choice alternates from preset to preset.
    const first = place + CHOICES.findIndex(([id, name]) => id === policy && name === preset);
    for (const query of queriesOf(policy, preset).filter((_, at) => (at + first) % FILES.length === 0)) {
      const expected = await onTheCommandLine(file, query);
      const where = JSON.stringify(query);
      const shown = await inThePage(session, query);
      expect(shown, where).toEqual(expected);
      compactions += expected.compactions.length;
    }
  });

  it("has enough compactions for a meaningful comparison", () => {
    expect(compactions).toBeGreaterThan(CHOICES.length);
  });
});

/** A text without tags, and its numbers without separators. */
const plain = (text: string) =>
  text
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/(?<=\d),(?=\d{3})/g, "")
    .replaceAll(/\s+/g, " ");

/** A number as texts print it, without separators; `null` is n/a. */
const written = (value: number | null) => (value === null ? "n/a" : String(value));

const SEVERAL = [...fixtureFiles(/\.jsonl?$/), ...FILES.map((file) => join("public", "samples", file)), ...RECORDINGS];

describe("session metrics on every surface", () => {
  it.each(SEVERAL)("%s: requests, peak and sizes of compactions are the same", async (path) => {
    const answer = await json([() => inspect([path], { json: true })]);
    const summary = contract.sessionSummary.parse(answer[0]);
    const policy = POLICIES.find(({ id }) => id === summary.agent)?.id ?? "custom";
    const [recorded, simulated] = [await replayed(path, "recorded"), await replayed(path, policy)];
    const preset = simulated.preset;
    const runs = [{ policy: "recorded" }, { policy: `${policy}@${preset}` }].map((run) => ({ ...run, settings: {} }));
    const compared = await json([() => compare(path, runs, { json: true })]);
    const totals = compared.slice(0, 2).map((run) => contract.comparedRun.parse(run).totals);
    expect(totals.map(shared), "compare").toEqual([recorded, simulated].map((one) => shared(one.totals)));

    for (const { compactions, totals: own, window } of [recorded, simulated]) {
      expect(own.peak).toBeGreaterThanOrEqual(Math.max(0, ...compactions.map(({ tokensBefore }) => tokensBefore)));
      expect(own.requestsOverWindow > 0, "above window").toBe(own.peak > (window.whole ?? window.tokens));
    }

    const [requests, boundaries] = [await csvRows(path, "requests"), await csvRows(path, "boundaries")];
    const sum = requests.reduce((all, { context }) => all + Number(context), 0);
    expect([requests.length, sum], "CSV").toEqual([recorded.totals.requests, recorded.totals.tokensSent]);
    const stated = boundaries.filter(({ kind, tokensBefore }) => kind === "compaction" && tokensBefore !== "");
    for (const { tokensBefore } of stated) expect(recorded.totals.peak).toBeGreaterThanOrEqual(Number(tokensBefore));

    const row = toRowView(listedRow("one", { summary, bill: summary.bill ?? null }), () => undefined);
    const text = plain(await printed(() => inspect([path], {})));
    const report = plain(await printed(() => exportSessions([path], { to: "html" })));
    for (const [at, one] of recorded.compactions.entries()) {
      const after = one.request < recorded.totals.requests ? one.tokensAfter : null;
      const sizes = [one.tokensBefore, after, one.summaryTokens || null].map(written).join(" ");
      expect(report, `compaction ${at}`).toContain(` ${sizes} `);
    }
    if (summary.requests === 0) return;
    const [all, without, peak] = [allRequests(summary), summary.requestsWithoutUsage ?? 0, recordedPeak(summary)];
    const sent = summary.tokensSent ?? null;
    expect(recorded.totals, "replay").toMatchObject({ requests: all, peak, tokensSent: sent });
    expect(row, "list").toMatchObject({ requests: all, withoutUsage: without, peak: peakShare(summary), sent });
    expect(text).toContain(` ${written(sent)} tokens sent`);
    expect(report).toContain(`Tokens sent ${written(sent)} `);
    expect(text).toContain(`peak ${written(peak)},`);
    expect(report).toContain(`Peak context ${written(peak)} `);
    const named =
      without === 0 ? "" : `${without} without usage, about ${written(summary.estimatedSent ?? null)} tokens`;
    // The text also says which of them were inherited or are on abandoned branches.
    const counted = text.replace(/(\d requests?) \([^)]*\)/, "$1");
    expect(counted).toContain(` ${all} ${all === 1 ? "request" : "requests"}, ${named}`);
    expect(report).toContain(`Requests ${all} ${named}`);
  });
});

/** The JSON values that commands print, one a line. */
async function json(runs: readonly (() => Promise<unknown>)[]): Promise<unknown[]> {
  const lines = (await printed(...runs)).trim().split("\n");
  return lines.map((line): unknown => JSON.parse(line));
}

/** The rows of a CSV table by its heads. */
async function csvRows(path: string, name: TableName): Promise<readonly Readonly<Record<string, string>>[]> {
  const [heads = [], ...rows] = (await printed(() => exportSessions([path], { to: "csv", table: name })))
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  return rows.map((cells) => Object.fromEntries(heads.map((head, at) => [head, cells[at] ?? ""])));
}

async function replayed(path: string, policy: string) {
  return contract.replayResult.parse((await json([() => replayCommand(path, { policy, json: true })]))[0]);
}

function shared({
  requests,
  peak,
  tokensSent,
  requestsOverWindow,
}: Pick<ReplayTotals, "requests" | "peak" | "tokensSent" | "requestsOverWindow">) {
  return { requests, peak, tokensSent, requestsOverWindow };
}
