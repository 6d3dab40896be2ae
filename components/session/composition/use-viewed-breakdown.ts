import { useCallback, useMemo } from "react";
import { policyById } from "@/lib/agents/policies";
import { nonePolicy } from "@/lib/core/compaction/policies/none";
import type { Breakdown } from "@/lib/core/context/breakdown";
import { type BreakdownView, breakdownViews, viewedBreakdown } from "@/lib/queries/contexts/breakdown-view";
import { ownThreshold, recordedWindow } from "@/lib/queries/session/session-context";
import { shownWindow } from "../shared/state/replay-choice";
import { useReplay, useSession, useView } from "../shared/state/stores";
import { type Side, VIEW_PARSERS } from "../shared/state/url-state";
import { useAddress } from "../shared/state/use-address";
import { useMeasures } from "../shared/state/use-measures";
import { pointedRequest } from "../shared/state/view";

const PARSERS = { breakdown: VIEW_PARSERS.breakdown };

/** The composition of one context. */
export interface ViewedAt {
  readonly breakdown: Breakdown;
  readonly window: number;
  /** The size at which it compacts, marked in the window. */
  readonly trigger: number | undefined;
}

interface ViewedComposition extends ViewedAt {
  readonly views: readonly BreakdownView[];
  readonly view: BreakdownView;
  readonly setView: (name: string) => void;
  /** The composition of any other context. */
  readonly viewed: (side: Side, request: number) => ViewedAt;
}

/** The composition at the cursor, recorded or simulated, by the selected breakdown. */
export function useViewedBreakdown(): ViewedComposition {
  const session = useSession((state) => state);
  const { summary, columns, recorded, recording, overhead } = session;
  const { simulated, threshold, choice } = useReplay("simulated", "threshold", "choice");
  const at = useView(pointedRequest);
  const { side } = useView("side");
  const [{ breakdown: asked }, update] = useAddress(PARSERS);
  const views = useMemo(() => breakdownViews(summary), [summary]);
  const view = views.find((one) => one.name === asked) ?? views[0] ?? { name: "ours" };
  const measured = useMeasures(session, columns, policyById(summary.agent ?? "") ?? nonePolicy);
  const own = useMemo(() => ownThreshold(recording, { preset: view.preset })?.tokens, [recording, view]);
  const simulatedWindow = shownWindow(choice, summary);
  const viewed = useCallback(
    (of: Side, request: number): ViewedAt => {
      const ofRecording = of === "recorded";
      const ofSession = recordedWindow(summary, undefined, view.preset);
      const window = ofRecording ? ofSession.tokens : simulatedWindow;
      const trigger = ofRecording ? own : threshold;
      const breakdown = viewedBreakdown(view, {
        columns: measured,
        tokens: recording.tokens,
        series: ofRecording ? recorded : simulated,
        simulated: !ofRecording,
        request,
        window,
        isLowerBound: (ofRecording ? ofSession : choice.window).source === "inferred",
        trigger,
        overhead,
      });
      // A mark beyond the window cannot be drawn.
      return { breakdown, window, trigger: trigger !== undefined && trigger <= window ? trigger : undefined };
    },
    [view, measured, recording, recorded, simulated, summary, choice.window, simulatedWindow, own, threshold, overhead],
  );
  const shown = useMemo(() => viewed(side, at), [viewed, side, at]);
  return { ...shown, views, view, setView: (name) => void update({ breakdown: name }), viewed };
}
