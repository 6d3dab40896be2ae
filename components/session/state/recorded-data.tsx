"use client";

import { useQueryState } from "nuqs";
import { type ReactNode, useMemo } from "react";
import { type BandSeries, bandSeries } from "@/components/charts/bands";
import { ownThreshold } from "@/lib/api/session-context";
import { recordedReplay } from "@/lib/core/compaction/recorded";
import type { Replay } from "@/lib/core/compaction/replay";
import { estimatorOf } from "./estimators";
import { requiredContext } from "./required-context";
import { useSession } from "./session-data";
import { REPLAY_PARSERS } from "./url-state";
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
}

const [Context, useRecorded] = requiredContext<RecordedData>("RecordedData");

export { useRecorded };

export function RecordedDataProvider({ children }: { readonly children: ReactNode }) {
  const session = useSession();
  const [asked] = useQueryState("estimator", REPLAY_PARSERS.estimator);
  const inForce = useTokens(session.id, session.columns, estimatorOf(asked));
  const { tokens, estimator, pending, failed, retry } = inForce;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `retry` is a new function every time and never stale
  const data = useMemo((): RecordedData => {
    const { columns, summary, points } = session;
    const recorded = recordedReplay(columns, tokens, summary.contextWindow.tokens);
    return {
      tokens: { tokens, estimator, pending, failed, retry },
      recorded,
      bands: bandSeries(recorded, points),
      ownTrigger: ownThreshold(summary, columns, tokens),
      observedTrigger: observedTrigger(recorded),
      hasUsage: recorded.estimated.some((estimated) => estimated === 0),
    };
  }, [session, tokens, estimator, pending, failed]);
  return <Context value={data}>{children}</Context>;
}

function observedTrigger(recorded: Replay): number | undefined {
  const sizes = recorded.compactions
    .filter(({ trigger, tokensBefore }) => trigger !== "manual" && tokensBefore > 0)
    .map(({ tokensBefore }) => tokensBefore);
  return sizes.length === 0 ? undefined : Math.min(...sizes);
}
