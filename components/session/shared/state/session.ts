import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { type BandSeries, bandSeries } from "@/components/charts/bands";
import { policyById, profileOf } from "@/lib/agents/policies";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { pointCount } from "@/lib/core/columns/points";
import { sizeTokenColumn } from "@/lib/core/columns/token-columns";
import { nonePolicy } from "@/lib/core/compaction/policies/none";
import { recordedReplay } from "@/lib/core/compaction/policies/recorded";
import type { Replay } from "@/lib/core/compaction/replay";
import {
  type ContextOverhead,
  NO_OVERHEAD,
  type OverheadCategory,
  splitOverhead,
} from "@/lib/core/context/context-overhead";
import { allOverhead, type Recording, recordingOf } from "@/lib/core/context/recording";
import { windowToExceed } from "@/lib/core/context/window";
import { isSizeEstimator } from "@/lib/core/tokens/estimator";
import { ask } from "@/lib/queries/client/client";
import type { OverheadAnswer, SessionAnswer, SessionSummary } from "@/lib/queries/contract/types";
import { asSent, ownThreshold } from "@/lib/queries/session/session-context";
import { estimatorOf, FIRST_ESTIMATOR, needsServer } from "./estimators";
import { furtherColumns, type HeldColumns } from "./held-columns";
import { type AskedReplay, namedRun } from "./replay-choice";
import { itemRequests } from "./rows";
import { useMeasures } from "./use-measures";

/** A loaded session. It changes only when its file does. */
export interface OpenedSession {
  readonly id: string;
  /** The shown version of the file. */
  readonly version: string;
  /** True if the file is being written. */
  readonly live: boolean;
  readonly answer: SessionAnswer;
  readonly summary: SessionSummary;
  readonly columns: SessionColumns;
  /** Names of the measures that the columns hold. */
  readonly measured: readonly string[];
  /** Incremented if loaded texts are no longer those of the items. */
  readonly texts: number;
  /** Number of request points, at least one. */
  readonly points: number;
  /** The request that every item belongs to. */
  readonly requestOfItem: Int32Array;
  /** The policy of the recording's own agent if it is known, else `custom`. */
  readonly defaultPolicy: string;
}

/** The session store: the loaded session, and the recording as counted by the selected estimator. No slider changes it. */
export interface SessionState extends OpenedSession {
  readonly counted: CountedBy;
  readonly recording: Recording;
  readonly recorded: Replay;
  readonly bands: readonly BandSeries[];
  /** The trigger of the recording's own agent, by its own rule. */
  readonly ownTrigger: { readonly tokens: number; readonly preset: string } | undefined;
  /** The smallest context at which the recording shows an automatic compaction. */
  readonly observedTrigger: number | undefined;
  /** True if any request has recorded usage; without it everything is an estimate. */
  readonly hasUsage: boolean;
  /** Overhead known from outside the file. The token column already includes it. */
  readonly given: GivenOverhead;
  /** The given overhead, together with the overhead that the file records. */
  readonly overhead: ContextOverhead;
}

/** Answers of the server about a session. */
export interface LoadedSession {
  readonly id: string;
  readonly answer: SessionAnswer;
  readonly held: HeldColumns;
  readonly live: boolean;
}

export function openedSession({ id, answer, held, live }: LoadedSession): OpenedSession {
  return {
    id,
    answer,
    live,
    summary: answer.summary,
    ...held,
    points: pointCount(held.columns),
    requestOfItem: itemRequests(held.columns),
    defaultPolicy: profileOf(answer.summary.agent)?.policy?.id ?? "custom",
  };
}

/**
 * The session store's state: recomputed if the session, the estimator or the overhead changes.
 * @param asked the parts of the address that decide the estimator: moving a setting changes none of them
 */
export function useSessionState(
  { id, answer, held, live }: LoadedSession,
  asked: Pick<AskedReplay, "policy" | "preset"> & { readonly estimator: string | null },
): SessionState {
  const session = useMemo(() => openedSession({ id, answer, held, live }), [id, answer, held, live]);
  const { policy, preset } = namedRun(asked, session.defaultPolicy, session.summary);
  const chosen = estimatorOf(asked.estimator, session.summary, { policy: policy.id, preset });
  const [tokens, { estimator, pending, failed, retry }] = useTokens(session, chosen);
  const given = useContextOverhead(session.id, estimator);
  const { columns, summary } = session;
  const { overhead } = given;
  const measured = useMeasures(session, columns, policyById(summary.agent ?? "") ?? nonePolicy);
  const recording = useMemo(
    () => recordingOf(summary, { columns, tokens }, overhead),
    [summary, columns, tokens, overhead],
  );
  const { points } = session;
  const ofRecording = useMemo(() => {
    const window = windowToExceed(recording.facts.contextWindow);
    const replayed = recordedReplay(asSent({ ...recording, columns: measured }), window);
    const recorded = splitOverhead(replayed, recording.overhead);
    return {
      recording,
      recorded,
      bands: bandSeries(recorded, points),
      ownTrigger: ownThreshold(recording),
      observedTrigger: observedTrigger(recorded),
      hasUsage: recorded.estimated.some((estimated) => estimated === 0),
      overhead: allOverhead(recording),
    };
  }, [points, recording, measured]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `retry` is a new function every time and never stale
  const counted = useMemo(() => ({ estimator, pending, failed, retry }), [estimator, pending, failed]);
  return useMemo(() => ({ ...session, ...ofRecording, counted, given }), [session, ofRecording, counted, given]);
}

/**
 * The smallest context at which a recording shows an automatic compaction, in tokens. Only compactions known to be automatic reveal the trigger: a user, or a
 * full window, may have caused the others.
 */
export function observedTrigger({ compactions }: Pick<Replay, "compactions">): number | undefined {
  const sizes = compactions
    .filter(({ trigger, tokensBefore }) => trigger === "threshold" && tokensBefore > 0)
    .map(({ tokensBefore }) => tokensBefore);
  return sizes.length === 0 ? undefined : Math.min(...sizes);
}

/** Overhead known from outside the file, and its source. */
interface GivenOverhead {
  readonly overhead: ContextOverhead;
  readonly profile: OverheadAnswer["profile"];
  readonly source: OverheadAnswer["source"];
}

const NOTHING: GivenOverhead = { overhead: NO_OVERHEAD, profile: null, source: null };

/** The agent's report or the selected context profile, measured by the estimator. Until it arrives the overhead is inferred. */
function useContextOverhead(id: string, estimator: string): GivenOverhead {
  const { data } = useQuery({
    queryKey: ["session", id, "overhead", estimator],
    queryFn: async ({ signal }) => givenOf(await ask("overhead", { id, search: { estimator } }, signal)),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
  return data ?? NOTHING;
}

function givenOf({ profile, source, declaredTokens, categories }: OverheadAnswer): GivenOverhead {
  if (categories.length === 0) return { ...NOTHING, profile, source };
  // The contract's own tests ensure that the server sends only ids of the overhead.
  const overhead = { categories: categories as readonly OverheadCategory[] };
  return { profile, source, overhead: declaredTokens === null ? overhead : { ...overhead, declaredTokens } };
}

interface CountedBy {
  /** The estimator of the shown tokens: the previous one while the selected one's tokens are loading. */
  readonly estimator: string;
  readonly pending: boolean;
  readonly failed: boolean;
  readonly retry: () => void;
}

/**
 * The token column of an estimator. Estimators that need only sizes compute it from the columns. For the others the server
 * counts; their column comes with the session or is fetched once. Until it arrives, and if that fails, the previous column stays.
 */
function useTokens(
  { id, version, columns }: Pick<OpenedSession, "id" | "version" | "columns">,
  chosen: string,
): readonly [Int32Array, CountedBy] {
  const query = useQuery({
    queryKey: ["session", id, "tokens", chosen, version],
    queryFn: async ({ signal }) => {
      const counted = await furtherColumns(id, version, { tokens: chosen }, signal);
      return counted?.tokens[chosen] ?? null;
    },
    enabled: needsServer(chosen) && columns.tokens[chosen] === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: columns.tokens[chosen] === undefined ? Number.POSITIVE_INFINITY : 0,
  });
  const sized = useMemo(
    () => (isSizeEstimator(chosen) ? sizeTokenColumn(columns, chosen) : undefined),
    [columns, chosen],
  );
  const tokens = sized ?? columns.tokens[chosen] ?? query.data ?? undefined;
  const last = useRef<{ estimator: string; tokens: Int32Array } | null>(null);
  if (tokens !== undefined) last.current = { estimator: chosen, tokens };
  // Tokens counted before the file grew came along with its columns.
  else if (last.current !== null && last.current.tokens.length !== columns.length)
    last.current = columnAfterGrowth(last.current.estimator, columns);
  const known = last.current;
  const { estimator, tokens: inForce } = useMemo(
    () => known ?? { estimator: FIRST_ESTIMATOR, tokens: sizeTokenColumn(columns, FIRST_ESTIMATOR) },
    [known, columns],
  );
  const counted = {
    estimator,
    pending: tokens === undefined && query.isFetching,
    failed: tokens === undefined && (query.isError || query.data === null),
    retry: () => void query.refetch(),
  };
  return [inForce, counted];
}

/** The tokens of an estimator for the current columns, if known. */
function columnAfterGrowth(
  estimator: string,
  columns: SessionColumns,
): { estimator: string; tokens: Int32Array } | null {
  const tokens = isSizeEstimator(estimator) ? sizeTokenColumn(columns, estimator) : columns.tokens[estimator];
  return tokens === undefined ? null : { estimator, tokens };
}
