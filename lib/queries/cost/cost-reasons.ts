import { profileOf } from "@/lib/agents/policies";
import { KIND, type SessionColumns } from "@/lib/core/columns/columns";
import { recordedMembership } from "@/lib/core/columns/membership";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { ASSUMED_SUMMARY_TOKENS } from "@/lib/core/compaction/policy/common-settings";
import { resolveSettings } from "@/lib/core/compaction/policy/settings";
import type { WrittenBy } from "@/lib/core/context/recording";
import { compactedBeforePauses } from "@/lib/core/cost/before-pauses";
import { type BoundaryCost, recordedBoundaryCosts, sizesAfterCompactions } from "@/lib/core/cost/boundary-cost";
import type { CacheMisses } from "@/lib/core/cost/cache-misses";
import { dollarsOf, type MicroDollars } from "@/lib/core/cost/money";
import { type ExpensiveRequest, mostExpensiveRequests } from "@/lib/core/cost/most-expensive";
import { ttlsCompared } from "@/lib/core/cost/other-ttl";
import type { PricedRequest } from "@/lib/core/cost/priced-requests";
import type { Cost as CostAnswer, SessionSummary } from "@/lib/queries/contract/types";
import { presetOfVersion } from "../session/session-context";

/** The parts of a session that show how its agent compacted. */
export type CompactedSession = WrittenBy & Pick<SessionSummary, "compactions">;

/** The requests of a session with their costs, and its cache misses. */
interface CostedSession {
  readonly session: CompactedSession;
  readonly columns: SessionColumns;
  readonly requests: readonly PricedRequest[];
  readonly misses: CacheMisses | undefined;
}

/** Number of listed expensive requests. */
const MAX_LISTED = 3;

/** True if the summary call of the recording's own agent, in its release, begins with content that was sent before; `undefined` if unknown. */
function recordedCallSharesPrefix(session: WrittenBy): boolean | undefined {
  const profile = profileOf(session.agent);
  if (profile?.policy === undefined) return undefined;
  const specs = profile.policy.settings(presetOfVersion(profile.policy, session), { window: 0, agent: session.agent });
  return profile.summaryCall?.sharesPrefix(resolveSettings(specs, {}));
}

/**
 * Costs of the recorded compactions, in order: docs/prices.md, "When a compaction pays".
 * @param calls the recorded summary calls
 */
export function recordedBoundaries(
  { session, columns, requests, misses }: CostedSession,
  calls: readonly PricedRequest[],
): readonly BoundaryCost[] {
  return recordedBoundaryCosts(columns, requests, misses, {
    calls,
    summaries: session.compactions.map(({ summaryTokens }) => summaryTokens ?? 0),
    sharesPrefix: recordedCallSharesPrefix(session),
  });
}

/** A compaction's cost in the contract's format. */
export function boundaryCostWire({
  request,
  rewriting,
  call,
  callIsRecorded,
  breakEven,
}: BoundaryCost): CostAnswer["boundaries"][number] {
  const all = rewriting === undefined || call === undefined ? undefined : rewriting + call;
  const pays = breakEven !== undefined && Number.isFinite(breakEven);
  return {
    request,
    rewritingUsd: inDollars(rewriting),
    callUsd: inDollars(call),
    callIsRecorded,
    usd: inDollars(all),
    breakEven: pays ? breakEven : null,
    neverPays: breakEven === Number.POSITIVE_INFINITY,
  };
}

/** The session's own most expensive requests, each with its largest new item: docs/prices.md, "The most expensive requests". */
export function mostExpensiveWire({ columns, requests, misses }: CostedSession): CostAnswer["dearest"] {
  const own = requests.filter(({ request }) => columns.requests.inherited[request] !== 1);
  return mostExpensiveRequests(own, misses, MAX_LISTED).map((one) => ({
    request: one.request,
    usd: dollarsOf(one.cost),
    parts: {
      read: dollarsOf(one.parts.read),
      again: dollarsOf(one.parts.again),
      fresh: dollarsOf(one.parts.fresh),
      output: dollarsOf(one.parts.output),
    },
    tokens: { ...one.tokens },
    because: one.because,
    cause: one.cause ?? null,
    item: largestNewItem(columns, one),
  }));
}

/** The largest item that entered with a request, by its bytes. `null` for a session's first request: its items are not separate from the overhead. */
function largestNewItem(
  columns: SessionColumns,
  { request, cause }: ExpensiveRequest,
): CostAnswer["dearest"][number]["item"] {
  if (cause === "first") return null;
  const { entered } = recordedMembership(columns);
  const tokens = sizeTokenColumn(columns, "bytes-4");
  let largest = -1;
  for (let row = columns.overheadRows; row < columns.length; row++) {
    if (entered[row] === request && (tokens[row] ?? 0) > (tokens[largest] ?? 0)) largest = row;
  }
  if (largest < 0) return null;
  return {
    index: largest,
    tool: columns.tables.tools[columns.tool[largest] ?? -1] ?? null,
    file: columns.tables.files[columns.file[largest] ?? -1] ?? null,
    isCall: columns.kind[largest] === KIND.tool_call,
    tokens: tokens[largest] ?? 0,
  };
}

/** Size of the recent messages that an assumed compaction keeps. Our choice: the default of the policy `custom`. */
const ASSUMED_KEPT = 20_000;

/** The effect of another compaction schedule, or another cache TTL: docs/prices.md, "Before a miss, five minutes or an hour". */
export function whatIfWire(costed: Omit<CostedSession, "misses">): CostAnswer["whatIf"] {
  return { beforeBreaks: beforeBreaksWire(costed), lifetimes: ttlsWire(costed) };
}

function beforeBreaksWire({
  session,
  columns,
  requests,
}: Omit<CostedSession, "misses">): CostAnswer["whatIf"]["beforeBreaks"] {
  const sizes = sizesAfterCompactions(columns, requests);
  const summaries = session.compactions.flatMap(({ summaryTokens }) => summaryTokens ?? []);
  const isRecorded = sizes.length > 0;
  const summary = summaries.length > 0 ? meanOf(summaries) : ASSUMED_SUMMARY_TOKENS;
  const left = isRecorded ? meanOf(sizes) : (requests[0]?.sent ?? 0) + ASSUMED_KEPT + summary;
  // If the cache reads of the call are unknown, the more expensive kind is assumed: the real saving is at least the one given.
  const sharesPrefix = recordedCallSharesPrefix(session) === true;
  const found = compactedBeforePauses(columns, requests, { left, summary, sharesPrefix });
  if (found === undefined) return null;
  return {
    assumed: { left, leftIsRecorded: isRecorded, summary, summaryIsRecorded: summaries.length > 0, sharesPrefix },
    pauses: found.pauses,
    compactions: found.compactions,
    behindPausesUsd: dollarsOf(found.afterPauses),
    laterUsd: dollarsOf(found.later),
    callsUsd: dollarsOf(found.calls),
    savedUsd: dollarsOf(found.saved),
  };
}

function ttlsWire({ columns, requests }: Omit<CostedSession, "misses">): CostAnswer["whatIf"]["lifetimes"] {
  const found = ttlsCompared(columns, requests);
  if (found === undefined) return null;
  return {
    shortUsd: dollarsOf(found.short),
    longUsd: dollarsOf(found.long),
    pauses: found.pauses,
    dearerWritesUsd: dollarsOf(found.extraWriteCost),
    warmPausesUsd: dollarsOf(found.warmPauses),
  };
}

function meanOf(values: readonly number[]): number {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function inDollars(amount: MicroDollars | undefined): number | null {
  return amount === undefined ? null : dollarsOf(amount);
}
