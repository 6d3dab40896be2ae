import type { RequestIndex, Tokens } from "@/lib/core/base/units";
import { boundariesOf, type SessionColumns } from "@/lib/core/columns/columns";
import { entryColumn } from "@/lib/core/columns/membership";
import { isRecordedPolicy } from "@/lib/core/compaction/policies/recorded";
import { costOf, dollarsOf, type MicroDollars } from "@/lib/core/cost/money";
import {
  type RefetchBoundary,
  recordedRefetchBoundaries,
  simulatedRefetchBoundaries,
} from "@/lib/core/refetch/boundaries";
import type { BoundaryLedger, Ledger, LedgerRefetch } from "@/lib/core/refetch/ledger";
import { REFETCH_ORIGINS } from "@/lib/core/refetch/refetch";
import type { PredictorScore } from "@/lib/core/refetch/scores";
import type { LedgerAnswer, LedgerBoundaryWire, LedgerRefetchWire } from "@/lib/queries/contract/types";
import type { ReplayCosts } from "../cost/simulated-cost";
import type { RanReplay } from "../replays/replay-result";

/** Output tokens of the request that re-fetches. Source: docs/method.md, "Re-fetched content", price. */
const REQUEST_OUTPUT: Tokens = 200;

const CERTAINTY = { N1: "certain", N2: "certain", N3: "certain", N4: "strong", N5: "hint" } as const;

/** Inputs of a re-fetch report: the boundaries of a replay, or of the recording. */
export function ledgerBoundaries({ prepared, replay, recording: { columns } }: RanReplay): readonly RefetchBoundary[] {
  return isRecordedPolicy(prepared.policy)
    ? recordedRefetchBoundaries(columns)
    : simulatedRefetchBoundaries(columns, replay);
}

/** A re-fetch report in the contract's format. */
export function toLedger(
  { file, sessionId }: Pick<LedgerAnswer, "file" | "sessionId">,
  ran: RanReplay,
  found: Ledger,
  costs: ReplayCosts,
  estimator: string,
): LedgerAnswer {
  const { prepared, recording } = ran;
  const isRecording = isRecordedPolicy(prepared.policy);
  const boundaries = ledgerBoundaries(ran);
  const priced = new RefetchPrices(ran, costs);
  const rows = isRecording ? boundariesOf(recording.columns, "compaction") : [];
  const refetches = found.boundaries.map((one, number) => {
    const line = recording.columns.boundaries.line[rows[number] ?? -1] ?? null;
    return boundaryWire(one, boundaries[one.boundary]?.request ?? 0, line, priced);
  });
  return {
    file,
    sessionId,
    policy: prepared.policy.id,
    preset: prepared.preset,
    estimator,
    needs: found.unknown === undefined ? refetches : null,
    unknown: found.unknown ?? null,
    predictor: found.predictor === undefined ? null : predictorWire(found.predictor),
    costTerms: costs.terms,
  };
}

/** Cost of re-fetching content at the request that uses it. */
class RefetchPrices {
  readonly #requests: ReadonlyMap<RequestIndex, ReplayCosts["requests"][number]>;
  readonly #entered: Int32Array;

  constructor(
    private readonly ran: RanReplay,
    costs: ReplayCosts,
  ) {
    this.#requests = new Map(costs.requests.map((request) => [request.request, request]));
    this.#entered = entryColumn(ran.recording.columns);
  }

  /** The request of a re-fetch: a response's own; for later content, the request that sent it. */
  requestOf({ needed: refetched }: LedgerRefetch): RequestIndex {
    const columns: SessionColumns = this.ran.recording.columns;
    const entered = this.#entered[refetched] ?? 0;
    // A response enters with the request after its own.
    const own = columns.requests.firstItem[entered - 1] ?? Number.POSITIVE_INFINITY;
    return columns.message[own] === columns.message[refetched] ? entered - 1 : entered;
  }

  costOf(refetch: LedgerRefetch): MicroDollars | undefined {
    const at = this.requestOf(refetch);
    const request = this.#requests.get(at);
    const rates = request?.rates;
    if (refetch.tokens === 0 && !refetch.isFetched) return 0;
    if (rates === undefined) return undefined;
    const written = { tokens: refetch.tokens, price: rates.write5m };
    const context = this.ran.replay.context[at] ?? 0;
    const fetching = [
      { tokens: context, price: rates.read },
      { tokens: REQUEST_OUTPUT, price: rates.output },
    ];
    return costOf(refetch.isFetched ? [written, ...fetching] : [written], request?.factor ?? 1);
  }
}

function boundaryWire(
  { needs: refetches, summary }: BoundaryLedger,
  request: RequestIndex,
  line: number | null,
  prices: RefetchPrices,
): LedgerBoundaryWire {
  const isRecorded = line !== null;
  const of = (...kinds: LedgerRefetch["kind"][]) => refetches.filter(({ kind }) => kinds.includes(kind));
  const countAndChars = (kind: "N1" | "N2", isCheck: boolean) => {
    const own = of(kind).filter((refetch) => refetch.isCheck === isCheck);
    return {
      count: kind === "N1" ? own.length : linesOf(own),
      chars: own.reduce((sum, { text }) => sum + (text?.chars ?? 0), 0),
    };
  };
  const used = of("N3", "N4");
  const cost = sumOf(used.map((refetch) => prices.costOf(refetch)));
  const origins = REFETCH_ORIGINS.map((name) => [name, used.filter(({ path }) => path?.origin === name).length]);
  const lines = of("N2").filter(({ isCheck }) => !isCheck);
  const again = lines.filter(({ text }) => text?.isSameFile === true);
  return {
    kind: isRecorded ? "recorded" : "simulated",
    request,
    line,
    N1: isRecorded ? countAndChars("N1", false) : null,
    N2: isRecorded ? countAndChars("N2", false) : null,
    // `fromEntries` loses the keys: those of `REFETCH_ORIGINS`.
    N3: {
      count: of("N3").length,
      ...(Object.fromEntries(origins) as Record<(typeof REFETCH_ORIGINS)[number], number>),
    },
    N4: { count: of("N4").length },
    N5: { count: of("N5").length },
    runAgain: isRecorded ? { N1: countAndChars("N1", true), N2: countAndChars("N2", true) } : null,
    neededAgain: used.length,
    neededAgainTokens: tokensOf(used),
    usd: cost === undefined ? null : dollarsOf(cost),
    boughtAgainTokens: isRecorded ? tokensOf(lines) : null,
    sameFile: isRecorded ? { lines: linesOf(again), tokens: tokensOf(again) } : null,
    summary: summary === undefined ? null : { paths: { ...summary.paths }, names: { ...summary.names } },
    needs: refetches.map((refetch) => refetchWire(refetch, request, prices)),
  };
}

function linesOf(refetches: readonly LedgerRefetch[]): number {
  return refetches.reduce((sum, { text }) => sum + (text?.lines ?? 0), 0);
}

function tokensOf(refetches: readonly LedgerRefetch[]): Tokens {
  return refetches.reduce((sum, { tokens }) => sum + tokens, 0);
}

function refetchWire(refetch: LedgerRefetch, boundary: RequestIndex, prices: RefetchPrices): LedgerRefetchWire {
  const { kind, dropped, needed: refetched, tokens, isCheck, text, path } = refetch;
  const request = prices.requestOf(refetch);
  const cost = prices.costOf(refetch);
  return {
    kind,
    certainty: CERTAINTY[kind],
    runAgain: isCheck,
    dropped,
    needed: refetched,
    request,
    requestsLater: Math.max(0, request - boundary),
    tokens,
    usd: cost === undefined ? null : dollarsOf(cost),
    lines: text?.lines ?? null,
    chars: text?.chars ?? null,
    sameFile: text?.isSameFile ?? null,
    path: path?.name ?? null,
    origin: path?.origin ?? null,
  };
}

function sumOf(costs: readonly (MicroDollars | undefined)[]): MicroDollars | undefined {
  return costs.reduce<MicroDollars | undefined>(
    (sum, cost) => (sum === undefined || cost === undefined ? undefined : sum + cost),
    0,
  );
}

function predictorWire(score: PredictorScore): NonNullable<LedgerAnswer["predictor"]> {
  const { predicted, confirmed, refetched, refetchedPredicted, predictedTokens, refetchedTokens } = score;
  const share = (part: number, of: number) => (of === 0 ? null : part / of);
  return {
    foreseen: predicted,
    right: confirmed,
    precision: share(confirmed, predicted),
    bought: refetched,
    foreseenBought: refetchedPredicted,
    recall: share(refetchedPredicted, refetched),
    foreseenTokens: predictedTokens,
    boughtTokens: refetchedTokens,
  };
}
