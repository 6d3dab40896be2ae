"use client";

import { useQueryStates } from "nuqs";
import { type ReactNode, useMemo } from "react";
import { type BandSeries, bandSeries } from "@/components/charts/bands";
import { recordedReplay } from "@/lib/core/compaction/recorded";
import type { Replay } from "@/lib/core/compaction/replay";
import { allStanding, type StandingOverhead, splitOverhead, withStanding } from "@/lib/core/context/standing";
import { ownThreshold } from "@/lib/questions/session-context";
import { estimatorOf } from "./estimators";
import { namedRun } from "./replay-choice";
import { requiredContext } from "./required-context";
import { useSession } from "./session-data";
import { REPLAY_PARSERS } from "./url-state";
import { type GivenOverhead, useStanding } from "./use-standing";
import { type TokensInForce, useTokens } from "./use-tokens";

/** The recording under the chosen estimator: changes with the estimator, never with a slider. */
export interface RecordedData {
  readonly tokens: TokensInForce;
  readonly recorded: Replay;
  readonly bands: readonly BandSeries[];
  /** Where the recording's own agent compacts by its own rule. */
  readonly ownTrigger: { readonly tokens: number; readonly preset: string } | undefined;
  /** The least context at which the recording shows an automatic compaction. */
  readonly observedTrigger: number | undefined;
  /** Whether any request has recorded usage; without it everything is an estimate. */
  readonly hasUsage: boolean;
  /** What is known of the overhead beyond the file; its tokens are in the column already. */
  readonly given: GivenOverhead;
  /** The same with what the file records. */
  readonly standing: StandingOverhead;
}

const [Context, useRecorded] = requiredContext<RecordedData>("RecordedData");

export { useRecorded };

/** What tells the estimator: a setting that moves changes none of it. */
const COUNTED_BY = {
  policy: REPLAY_PARSERS.policy,
  preset: REPLAY_PARSERS.preset,
  estimator: REPLAY_PARSERS.estimator,
};

export function RecordedDataProvider({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const [asked] = useQueryStates(COUNTED_BY);
  const { policy, preset } = namedRun(asked, session.defaultPolicy, session.summary);
  const chosen = estimatorOf(asked.estimator, session.summary, { policy: policy.id, preset });
  const inForce = useTokens(session.id, session.columns, chosen);
  const { tokens: counted, estimator, pending, failed, retry } = inForce;
  const given = useStanding(session.id, estimator);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `retry` is a new function every time and never stale
  const data = useMemo((): RecordedData => {
    const { columns, summary, points } = session;
    const tokens = withStanding({ columns, tokens: counted }, given.standing);
    const replayed = recordedReplay({ columns, tokens }, summary.contextWindow.tokens);
    const recorded = splitOverhead(replayed, given.standing);
    return {
      tokens: { tokens, estimator, pending, failed, retry },
      recorded,
      bands: bandSeries(recorded, points),
      ownTrigger: ownThreshold({ session: summary, columns, tokens }),
      observedTrigger: observedTrigger(recorded),
      hasUsage: recorded.estimated.some((estimated) => estimated === 0),
      given,
      standing: allStanding({ columns, tokens }, given.standing),
    };
  }, [session, counted, given, estimator, pending, failed]);
  return <Context value={data}>{children}</Context>;
}

function observedTrigger(recorded: Replay): number | undefined {
  const sizes = recorded.compactions
    .filter(({ trigger, tokensBefore }) => trigger !== "manual" && tokensBefore > 0)
    .map(({ tokensBefore }) => tokensBefore);
  return sizes.length === 0 ? undefined : Math.min(...sizes);
}
