import { useQueryStates } from "nuqs";
import { type ReactNode, useMemo } from "react";
import { type BandSeries, bandSeries } from "@/components/charts/bands";
import { policyById } from "@/lib/agents/loaded";
import { nonePolicy } from "@/lib/core/compaction/policies/none";
import { recordedReplay } from "@/lib/core/compaction/policies/recorded";
import type { Replay } from "@/lib/core/compaction/replay";
import { allStanding, type Recording, recordingOf } from "@/lib/core/context/recording";
import { type StandingOverhead, splitOverhead } from "@/lib/core/context/standing";
import { asSent, ownThreshold } from "@/lib/questions/session/session-context";
import { estimatorOf } from "./estimators";
import { observedTrigger } from "./observed-trigger";
import { namedRun } from "./replay-choice";
import { requiredContext } from "./required-context";
import { useSession } from "./session-data";
import { REPLAY_PARSERS } from "./url-state";
import { useMeasures } from "./use-measures";
import { type GivenOverhead, useStanding } from "./use-standing";
import { type CountedBy, useTokens } from "./use-tokens";

/** The recording as counted by the selected estimator. It changes with the estimator, never with a slider. */
export interface RecordedData {
  readonly counted: CountedBy;
  readonly recording: Recording;
  readonly recorded: Replay;
  readonly bands: readonly BandSeries[];
  /** Where the recording's own agent compacts by its own rule. */
  readonly ownTrigger: { readonly tokens: number; readonly preset: string } | undefined;
  /** The least context at which the recording shows an automatic compaction. */
  readonly observedTrigger: number | undefined;
  /** Whether any request has recorded usage; without it everything is an estimate. */
  readonly hasUsage: boolean;
  /** What is known about the overhead from outside the file. The token column already includes it. */
  readonly given: GivenOverhead;
  /** The same, together with what the file records. */
  readonly standing: StandingOverhead;
}

const [Context, useRecorded] = requiredContext<RecordedData>("RecordedData");

export { useRecorded };

/** The parts of the address that decide the estimator. Moving a setting changes none of them. */
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
  const [tokens, { estimator, pending, failed, retry }] = useTokens(session, chosen);
  const given = useStanding(session.id, estimator);
  const { columns, summary } = session;
  const { standing } = given;
  const measured = useMeasures(columns, policyById(summary.agent ?? "") ?? nonePolicy);
  const recording = useMemo(
    () => recordingOf(summary, { columns, tokens }, standing),
    [summary, columns, tokens, standing],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `retry` is a new function every time and never stale
  const data = useMemo((): RecordedData => {
    const sentWindow = recording.facts.contextWindow;
    const replayed = recordedReplay(asSent({ ...recording, columns: measured }), sentWindow.whole ?? sentWindow.tokens);
    const recorded = splitOverhead(replayed, recording.overhead);
    return {
      counted: { estimator, pending, failed, retry },
      recording,
      recorded,
      bands: bandSeries(recorded, session.points),
      ownTrigger: ownThreshold(recording),
      observedTrigger: observedTrigger(recorded),
      hasUsage: recorded.estimated.some((estimated) => estimated === 0),
      given,
      standing: allStanding(recording),
    };
  }, [session, recording, measured, given, estimator, pending, failed]);
  return <Context value={data}>{children}</Context>;
}
