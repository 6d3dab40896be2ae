import { policyById, serverProfileOf } from "@/lib/agents/registry";
import type { ContextReport } from "@/lib/agents/shared/server-profile";
import { AssertionError } from "@/lib/core/base/assert";
import type { Tokens } from "@/lib/core/base/units";
import { recordedPolicy } from "@/lib/core/compaction/policies/recorded";
import type { Settings } from "@/lib/core/compaction/policy/settings";
import { type ContextOverhead, NO_OVERHEAD, withoutRecorded } from "@/lib/core/context/context-overhead";
import type { ContextProfile } from "@/lib/core/context/profile";
import { type Recording, recordingOf } from "@/lib/core/context/recording";
import type { Prices } from "@/lib/core/prices/prices";
import type { SummaryScore } from "@/lib/core/refetch/scores";
import { ownEstimator } from "@/lib/queries/accuracy/own-estimator";
import { sizesAsEntered, toBoundaryDetails } from "@/lib/queries/boundaries/boundary-details";
import { ledgerBoundaries, toLedger } from "@/lib/queries/boundaries/ledger";
import { summaryBand, toBand } from "@/lib/queries/boundaries/summary-band";
import {
  type BreakdownChoice,
  recordedBreakdown,
  toBreakdown,
  type ViewedBreakdown,
} from "@/lib/queries/contexts/breakdown";
import { type ContributorsChoice, toContributors } from "@/lib/queries/contexts/contributors";
import { toWaste } from "@/lib/queries/contexts/waste";
import type {
  BoundaryAnswer,
  BoundaryDetails,
  BoundaryRequest,
  Breakdown,
  CompareAnswer,
  CompareRequest,
  CompareRun,
  Contributors,
  Cost,
  FidelityWire,
  LedgerAnswer,
  LedgerRequest,
  OverheadAnswer,
  ReplayRequest,
  ReplayResult,
  SummaryPrompt,
  WasteAnswer,
} from "@/lib/queries/contract/schemas";
import { toCost } from "@/lib/queries/cost/cost";
import type { CostTerms } from "@/lib/queries/cost/cost-terms";
import { ReplayCosts } from "@/lib/queries/cost/simulated-cost";
import { type CompactedNow, compactNow } from "@/lib/queries/replays/compact-now";
import { type ComparedReplay, toComparison } from "@/lib/queries/replays/compare";
import { runAtHindsightOptimum } from "@/lib/queries/replays/hindsight-run";
import { runReplay, toReplayResult } from "@/lib/queries/replays/replay-result";
import { asSent, preparePolicy, presetOfVersion } from "@/lib/queries/session/session-context";
import { usablePrices } from "@/lib/server/base/prices";
import { contradictoryBundle } from "@/lib/server/read/bundle/is-bundle";
import { requireEstimator } from "@/lib/server/read/numbers/estimators";
import { ownFidelity } from "@/lib/server/read/numbers/fidelity";
import { measureNames, withSender } from "@/lib/server/read/numbers/measures";
import { overheadOfProfile, windowUnderProfile } from "@/lib/server/read/numbers/overhead";
import { agentReport, overheadOfReport, reportWire } from "@/lib/server/sessions/agent-reports";
import type { OpenedSession } from "@/lib/server/sessions/opened-session";
import type { ChosenProfile } from "@/lib/server/store/profile-store";
import { wantedItems, withTexts } from "./boundary-answer";

/** Parameters of a query besides the session. */
interface CountingChoice {
  /** Default: the estimator of the recording's own agent. */
  readonly estimator?: string | undefined;
  /** The replay to count, if there is one: each preset of the agent's own policy has its own counting rule. */
  readonly run?: Pick<ReplayRequest, "policy" | "preset"> | undefined;
  /** Overhead that the file does not hold. */
  readonly profile?: ContextProfile | undefined;
}

interface BreakdownRequest extends BreakdownChoice, CountingChoice {}

/** Replays a session under a policy. Rejects with `ChoiceError`, `SettingError` and `UnknownEstimatorError`. */
export async function replaySession(
  session: OpenedSession,
  request: ReplayRequest,
  profile?: ContextProfile,
  prices: Prices = usablePrices(),
): Promise<ReplayResult> {
  const fromThread = session.inThread({ kind: "replay", asked: request }, profile, prices);
  if (fromThread !== undefined) return fromThread;
  const costs = costsOf(session, prices, request);
  const { ran, estimator } = await ranReplay(session, request, costs, profile);
  const band = summaryBand(ran.prepared, ran.replay, ran.counting, ran.recording);
  return toReplayResult(ran, estimator, costs, toBand(band));
}

function costsOf({ columns }: OpenedSession, prices: Prices, terms: CostTerms): ReplayCosts {
  return new ReplayCosts({ columns }, prices, terms);
}

/** A finished replay, with its counting. */
async function ranReplay(
  session: OpenedSession,
  { schedule, ...request }: CompareRun,
  costs: ReplayCosts,
  profile?: ContextProfile,
): Promise<Omit<ComparedReplay, "costs">> {
  const counted = await countRecording(session, { estimator: request.estimator, run: request, profile });
  const recording = await withMeasures(session, counted.recording, measureNames(request.policy, request.settings));
  const ran = reportingContradictions(session, () =>
    schedule === "best" ? runAtHindsightOptimum(request, recording, costs) : runReplay(request, recording, costs),
  );
  return { ran, estimator: counted.estimator, schedule };
}

/**
 * Replays a session. The numbers of a bundle may contradict each other in ways that only a policy detects: such an error is reported as one of the
 * file, not of a policy.
 */
function reportingContradictions<Ran>({ version, summary }: OpenedSession, replay: () => Ran): Ran {
  try {
    return replay();
  } catch (error) {
    if (version.isBundle !== true || !(error instanceof AssertionError)) throw error;
    throw contradictoryBundle(summary.file);
  }
}

/** Effects and cost of compacting before the last request. Rejects as `replaySession`. */
export async function compactNowOfSession(
  session: OpenedSession,
  request: ReplayRequest,
  prices: Prices = usablePrices(),
): Promise<CompactedNow | undefined> {
  const recording = await replayRecording(session, request, undefined);
  return compactNow(request, recording, new ReplayCosts(recording, prices, request));
}

/** Content re-fetched after the compactions of a replay, or of the recording. Rejects as `replaySession`. */
export async function ledgerOfSession(
  session: OpenedSession,
  request: LedgerRequest,
  profile?: ContextProfile,
  prices: Prices = usablePrices(),
): Promise<LedgerAnswer> {
  const fromThread = session.inThread({ kind: "ledger", asked: request }, profile, prices);
  if (fromThread !== undefined) return fromThread;
  const { policy = "recorded", ...choice } = request;
  const costs = costsOf(session, prices, choice);
  const { ran, estimator } = await ranReplay(session, { ...choice, policy }, costs, profile);
  const boundaries = ledgerBoundaries(ran);
  const isRecording = policy === "recorded";
  // A recording's boundaries never change; the sizes of re-fetched content depend on the estimator and on a profile.
  const key = isRecording && profile === undefined ? estimator : undefined;
  const found = await session.ledger({ boundaries, isRecording, sizes: ran.replay.sizes }, key);
  return toLedger(session.summary, ran, found, costs, estimator);
}

/** The effect of the compaction before a request on each item. Rejects as `replaySession`. */
export async function boundaryOfSession(
  session: OpenedSession,
  request: ReplayRequest,
  at: number,
  profile?: ContextProfile,
  prices: Prices = usablePrices(),
): Promise<BoundaryDetails> {
  const fromThread = session.inThread({ kind: "boundary", asked: { ...request, at } }, profile, prices);
  if (fromThread !== undefined) return fromThread;
  const { ran } = await ranReplay(session, request, costsOf(session, prices, request), profile);
  return toBoundaryDetails(ran, at);
}

/** The same with texts. Rejects as `replaySession`, and with `InputError`. */
export async function boundaryTextsOfSession(
  session: OpenedSession,
  asked: BoundaryRequest,
  profile?: ContextProfile,
  prices: Prices = usablePrices(),
): Promise<BoundaryAnswer> {
  const fromThread = session.inThread({ kind: "boundaryTexts", asked }, profile, prices);
  if (fromThread !== undefined) return fromThread;
  const { at, ...request } = asked;
  const { ran } = await ranReplay(session, request, costsOf(session, prices, request), profile);
  return withTexts(session, toBoundaryDetails(ran, at), { ...ran, sizes: sizesAsEntered(ran) });
}

/** An agent's request for the summary of a boundary, and data to score the answer. */
export interface BoundaryPrompt {
  /** Owner of the prompt: the simulated policy, or the recording's own agent. */
  readonly policy: string;
  readonly preset: string;
  readonly estimator: string;
  /** Null if the prompt is not known. */
  readonly prompt: SummaryPrompt | null;
  /** True if the compaction asks a model for a summary. */
  readonly isAsked: boolean;
  /** Size of the existing summary. */
  readonly summaryTokens: Tokens;
  /** Scores of texts as this summary; null if there is nothing to compare with. */
  readonly scores: (texts: readonly string[]) => Promise<readonly (SummaryScore | null)[]>;
}

/** The prompt for the summary of the compaction before a request. Rejects as `replaySession`, and with `InputError`. */
export async function boundaryPromptOfSession(
  session: OpenedSession,
  { at, ...request }: BoundaryRequest,
  profile?: ContextProfile,
  prices: Prices = usablePrices(),
): Promise<BoundaryPrompt> {
  const { ran, estimator } = await ranReplay(session, request, costsOf(session, prices, request), profile);
  const details = toBoundaryDetails(ran, at);
  const isRecorded = details.kind === "recorded";
  const isAsked = isRecorded || details.summaryCallTokens > 0;
  const { policy, preset } = details;
  const owner = isRecorded ? ownPolicy(session, ran.recording) : { policy, preset, settings: ran.prepared.settings };
  const items = wantedItems(details, { replay: ran.replay, sizes: sizesAsEntered(ran) });
  const sent = owner && (await session.contextTexts(items, { ...owner, asks: isAsked }));
  const boundaries = ledgerBoundaries(ran);
  const number = boundaries.findIndex(({ kind, request: point }) => kind === "compaction" && point === at);
  return {
    policy: owner?.policy ?? details.policy,
    preset: owner?.preset ?? details.preset,
    estimator,
    prompt: sent?.prompt ?? null,
    isAsked,
    summaryTokens: details.summaryTokens,
    scores: async (texts) => {
      if (texts.length === 0 || number < 0) return texts.map(() => null);
      const { sizes } = ran.replay;
      const found = await session.ledger({ boundaries, isRecording: isRecorded, sizes, scored: { number, texts } });
      return texts.map((_, index) => found.textScores?.[index] ?? null);
    },
  };
}

/** The policy of the recording's own agent, with the preset of the recording's version. */
function ownPolicy(
  { summary }: OpenedSession,
  recording: Recording,
): { readonly policy: string; readonly preset: string; readonly settings: Settings } | undefined {
  const policy = policyById(summary.agent ?? "");
  if (policy === undefined) return undefined;
  const preset = presetOfVersion(policy, summary);
  const { settings } = preparePolicy({ policy: policy.id, preset }, recording);
  return { policy: policy.id, preset, settings };
}

/** Compares the session's own policy with its recorded compactions; null if no policy of its agent is known. Rejects with `InputError`. */
export async function fidelityOfSession(
  session: OpenedSession,
  profile?: ContextProfile,
): Promise<FidelityWire | null> {
  return ownFidelity({
    summary: { ...session.summary, contextWindow: await windowUnderProfile(session, profile) },
    tokens: (estimator) => session.tokens(estimator),
    columnsFor: (policy) => session.columnsFor([policy]),
  });
}

/** Compares several replays of a session. Rejects as `replaySession`. */
export async function compareSession(
  session: OpenedSession,
  request: CompareRequest,
  profile?: ContextProfile,
  prices: Prices = usablePrices(),
): Promise<CompareAnswer> {
  const fromThread = session.inThread({ kind: "compare", asked: request }, profile, prices);
  if (fromThread !== undefined) return fromThread;
  const { runs } = request;
  const costs = runs.map((run) => costsOf(session, prices, run));
  const ran: ComparedReplay[] = [];
  // One after the other, because later replays reuse the counts of earlier ones.
  for (const [index, run] of runs.entries()) {
    const own = costs[index];
    if (own !== undefined) ran.push({ ...(await ranReplay(session, run, own, profile)), costs: own });
  }
  return toComparison(ran);
}

/** A breakdown with the data of the agent's own report. */
export interface SessionBreakdown extends ViewedBreakdown {
  readonly report?: ContextReport | undefined;
}

/** Contents of the window at a request. Rejects with `ChoiceError` and `UnknownEstimatorError`. */
export async function breakdownOfSession(session: OpenedSession, request: BreakdownRequest): Promise<SessionBreakdown> {
  const { agent } = session.summary;
  const { recording } = await countRecording(session, request);
  const result = recordedBreakdown(request, await withMeasures(session, recording, agent === null ? [] : [agent]));
  const { window, breakdown } = result;
  const report = await agentReport(session, { ...request, request: breakdown.request, window });
  return { ...result, report };
}

/** The same in the contract's format. */
export function toBreakdownAnswer({ report, ...viewed }: SessionBreakdown): Breakdown {
  return toBreakdown(viewed, report === undefined ? undefined : reportWire(report));
}

/**
 * The recording that replays of a session run over. Rejects with `UnknownEstimatorError`.
 * @param asksRefetches true if the caller wants re-fetches
 */
export async function replayRecording(
  session: OpenedSession,
  run: Pick<ReplayRequest, "policy" | "preset" | "estimator" | "settings">,
  profile: ContextProfile | undefined,
  asksRefetches = true,
): Promise<Recording> {
  const { recording } = await countRecording(session, { estimator: run.estimator, run, profile });
  return withMeasures(session, recording, measureNames(run.policy, run.settings, asksRefetches));
}

interface CountedRecording {
  readonly estimator: string;
  readonly recording: Recording;
}

/** The recording with the measures that policies need beyond tokens, sized as its own agent's policy sizes it. Rejects with `InputError`. */
async function withMeasures(
  session: OpenedSession,
  recording: Recording,
  policies: readonly string[],
): Promise<Recording> {
  return { ...recording, columns: await session.columnsFor(withSender(policies, session.summary.agent)) };
}

/** The session under an estimator, with the overhead that its agent's report or a profile gives, and the window under that profile. */
async function countRecording(
  session: OpenedSession,
  { run, estimator = ownEstimator(session.summary, run), profile }: CountingChoice,
): Promise<CountedRecording> {
  const tokens = await session.tokens(estimator);
  const { columns, summary } = session;
  const overhead = withoutRecorded(await contextOverheadOf(session, estimator, profile), columns);
  const facts = { ...summary, contextWindow: await windowUnderProfile(session, profile) };
  return { estimator, recording: recordingOf(facts, { columns, tokens }, overhead) };
}

/** The recording as its own agent sent it, counted by that agent's estimator. Rejects with `InputError`. */
export async function recordingAsSent(session: OpenedSession): Promise<Recording> {
  const { summary, columns } = session;
  const tokens = await session.tokens(ownEstimator(summary));
  return asSent(await withMeasures(session, recordingOf(summary, { columns, tokens }), [recordedPolicy.id]));
}

interface ContributorsRequest extends ContributorsChoice, CountingChoice {}

/** Contents of the context up to a request. Rejects with `ChoiceError`, `SettingError` and `UnknownEstimatorError`. */
export async function contributorsOfSession(
  session: OpenedSession,
  request: ContributorsRequest,
): Promise<Contributors> {
  const fromThread = session.inThread({ kind: "contributors", asked: request }, undefined, usablePrices());
  if (fromThread !== undefined) return fromThread;
  const { estimator, recording } = await countRecording(session, { ...request, run: request });
  const withContents = await withMeasures(session, recording, ["contents", request.policy]);
  return toContributors(request, withContents, estimator, usablePrices());
}

/** Waste of a session. Rejects with `UnknownEstimatorError` and `InputError`. */
export async function wasteOfSession(session: OpenedSession, asked: Omit<CountingChoice, "run">): Promise<WasteAnswer> {
  const { estimator, recording } = await countRecording(session, asked);
  const measured = await withMeasures(session, recording, ["contents", "outputs", recordedPolicy.id]);
  return toWaste(
    session.summary,
    measured,
    estimator,
    usablePrices(),
    serverProfileOf(session.summary.agent ?? "")?.serverOff,
  );
}

/** Cost of a session at these prices. Throws `ChoiceError`. */
export function costOfSession(session: OpenedSession, terms: CostTerms, prices: Prices): Cost {
  return toCost(session.summary, session.columns, prices, terms);
}

/** Known overhead of a session outside its file: from the agent's report, else from a profile. */
async function contextOverheadOf(
  session: OpenedSession,
  estimator: string,
  profile: ContextProfile | undefined,
): Promise<ContextOverhead> {
  const reported = await overheadOfReport(session, profile);
  if (reported !== undefined) return reported;
  return profile === undefined ? NO_OVERHEAD : overheadOfProfile(profile, session.summary.agent, estimator);
}

/** The overhead from outside the file, without categories that the file records itself. Rejects with `UnknownEstimatorError`. */
export async function overheadOfSession(
  session: OpenedSession,
  estimator: string = ownEstimator(session.summary),
  chosen?: ChosenProfile | undefined,
): Promise<OverheadAnswer> {
  requireEstimator(estimator);
  const overhead = await contextOverheadOf(session, estimator, chosen?.profile);
  const { categories, declaredTokens } = withoutRecorded(overhead, session.columns);
  const reported = (await overheadOfReport(session, undefined)) !== undefined;
  return {
    profile: chosen === undefined ? null : { id: chosen.id, name: chosen.name, scope: chosen.scope },
    source: reported ? "report" : categories.length > 0 ? "profile" : null,
    declaredTokens: declaredTokens ?? null,
    categories: categories.map(({ id, tokens, items }) => ({ id, tokens, items: [...items] })),
  };
}
