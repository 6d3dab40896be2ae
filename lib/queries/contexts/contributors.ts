import type { Grouping } from "@/lib/core/analysis/contributor-groups";
import { type Contributor, contributorsAt } from "@/lib/core/analysis/contributors";
import { fillPoints, growthByTurn } from "@/lib/core/analysis/growth";
import { inputPrices, recordedInputs, simulatedInputs } from "@/lib/core/analysis/input-prices";
import { type MeasuredContext, measuredContext } from "@/lib/core/analysis/measured-context";
import { type RepeatedContent, repeatedContent } from "@/lib/core/analysis/repeated-content";
import { recordedStays, simulatedStays } from "@/lib/core/analysis/stays";
import { unusedTools } from "@/lib/core/analysis/unused-tools";
import { serversOf } from "@/lib/core/base/mcp-server";
import type { RequestIndex, Tokens } from "@/lib/core/base/units";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { CONTENT_MEASURE } from "@/lib/core/columns/content";
import { pointCount } from "@/lib/core/columns/points";
import { basisOf } from "@/lib/core/compaction/counting";
import type { CountingMode, Replay } from "@/lib/core/compaction/replay";
import { categoryOfCode } from "@/lib/core/context/breakdown";
import { allOverhead, type Recording } from "@/lib/core/context/recording";
import { dollarsOf } from "@/lib/core/cost/money";
import type { PriceList } from "@/lib/core/prices/price-list";
import type { Contributors, ReplayRequest } from "@/lib/queries/contract/types";
import { ReplayCosts } from "../cost/simulated-cost";
import { type RanReplay, runReplay } from "../replays/replay-result";
import { toCalibration } from "../session/calibration";
import { ChoiceError } from "../session/session-context";

export interface ContributorsChoice {
  /** A request point, or the last one. */
  readonly at: RequestIndex | "last";
  readonly by: Grouping;
  /** Owner of the context: a policy's id, or `recorded`. */
  readonly policy: string;
  readonly preset?: string | undefined;
  readonly settings?: ReplayRequest["settings"];
  readonly window?: Tokens | undefined;
  readonly counting?: CountingMode | undefined;
  /** Maximum rows of each list; default: all. */
  readonly limit?: number | undefined;
}

/** The context of a replay, or of a recording in the same format, with its items' tokens at every request. */
export function contextOf(columns: SessionColumns, run: Replay, policy: string): MeasuredContext {
  const stays =
    policy === "recorded" ? recordedStays({ columns, tokens: run.sizes }, run) : simulatedStays(columns, run);
  return measuredContext(columns, stays, run);
}

/**
 * Contents of the context up to a request, as `contributors` prints them. Throws `ChoiceError` and `SettingError`.
 * @param recording with the measure of equal contents, without which no repetition is found
 * @param estimator of the recording's counts
 */
export function toContributors(
  choice: ContributorsChoice,
  recording: Recording,
  estimator: string,
  prices: PriceList,
): Contributors {
  const { columns } = recording;
  const request = requestPointOf(choice.at, columns);
  const costs = new ReplayCosts(recording, prices);
  const ran = runReplay(choice, recording, costs);
  const { prepared, replay, counting } = ran;
  const context = contextOf(columns, replay, choice.policy);
  const found = contributorsAt(context, request, choice.by, pricesOf(context, ran, costs));
  const content = columns.measures[CONTENT_MEASURE] ?? new Int32Array(columns.length);
  const largest = [...found.rows].sort((a, b) => b.residency - a.residency).slice(0, choice.limit);
  const repeated = repeatedContent(context, content, request);
  const listed = repeated.slice(0, choice.limit);
  return {
    request,
    by: choice.by,
    policy: choice.policy,
    estimator,
    counting,
    basis: basisOf(replay, columns),
    calibration: toCalibration(replay.calibration),
    window: prepared.window,
    context: found.context,
    sent: found.sent,
    inputUsd: found.inputCost === undefined ? null : dollarsOf(found.inputCost),
    contributors: largest.map((row) => contributorWire(row, found.context, columns)),
    total: found.rows.length,
    repeated: listed.map((repeat) => repeatedWire(repeat, columns)),
    leftOut: { contributors: found.rows.length - largest.length, repeated: repeated.length - listed.length },
    unusedTools:
      unusedTools(context, allOverhead(recording), { from: 0, to: request })?.map(({ name, tokens, residency }) => ({
        tool: name,
        tokens,
        residency,
      })) ?? null,
    growth: [...growthByTurn(columns, replay.context)],
    full: fillPoints(
      columns,
      replay.context,
      filledWindow(prepared.window, choice.policy === recording.facts.agent),
    ).map((point) => ({
      share: point.share,
      request: point.request ?? null,
      turn: point.turn ?? null,
    })),
  };
}

/** The part of the window that a context fills, as the recording's own agent sees it. */
function filledWindow({ tokens, effective = tokens }: Contributors["window"], isOwn: boolean): Tokens {
  return isOwn ? effective : tokens;
}

/** Cost of a context's tokens at every request; `undefined` if a request has no price, or its cache reads are unknown. */
export function pricesOf(context: MeasuredContext, { prepared, replay }: RanReplay, costs: ReplayCosts) {
  const series = costs.seriesOf(prepared, replay);
  const inputs = replay.shared === undefined ? recordedInputs(costs.requests) : simulatedInputs(series?.requests ?? []);
  return inputs && inputPrices(context, inputs);
}

/** A contributor's name in the file; absent for messages, turns and others without a name. */
export function contributorName({ kind, index }: Contributor, columns: SessionColumns): string | undefined {
  switch (kind) {
    case "tool":
      return columns.tables.tools[index];
    case "server":
      return serversOf(columns.tables.tools).names[index];
    case "file":
      return columns.tables.files[index];
    case "category":
      return categoryOfCode(index);
    default:
      return undefined;
  }
}

function contributorWire(row: Contributor, context: Tokens, columns: SessionColumns) {
  const { kind, index, largest, tokens, residency, cost, items, present, calls } = row;
  return {
    kind,
    name: contributorName(row, columns) ?? null,
    number: kind === "message" || kind === "turn" ? index : null,
    tokens,
    share: context > 0 ? tokens / context : 0,
    residency,
    usd: cost === undefined ? null : dollarsOf(cost),
    items,
    present,
    calls,
    item: largest < 0 ? null : largest,
  };
}

function repeatedWire(repeat: RepeatedContent, columns: SessionColumns) {
  const { items, each, present, tokens, residency } = repeat;
  const first = items[0] ?? -1;
  return {
    items: [...items],
    tool: columns.tables.tools[columns.tool[first] ?? -1] ?? null,
    file: columns.tables.files[columns.file[first] ?? -1] ?? null,
    each,
    present,
    tokens,
    residency,
  };
}

/** The chosen request point. Throws `ChoiceError` for an unknown one. */
export function requestPointOf(at: RequestIndex | "last", columns: SessionColumns): RequestIndex {
  const last = pointCount(columns) - 1;
  const request = at === "last" ? last : at;
  if (!Number.isInteger(request) || request < 0 || request > last) {
    throw new ChoiceError(`no request ${request}; requests go from 0 to ${last}`);
  }
  return request;
}
