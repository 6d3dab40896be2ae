import { useMemo } from "react";
import { policyById } from "@/lib/agents/policies";
import { nonePolicy } from "@/lib/core/compaction/policies/none";
import type { Breakdown } from "@/lib/core/context/breakdown";
import { type BreakdownView, breakdownViews, viewedBreakdown } from "@/lib/questions/breakdown-view";
import { ownThreshold } from "@/lib/questions/session-context";
import { useCursor } from "../state/cursor";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { useSession } from "../state/session-data";
import { shownWindow } from "../state/shown-window";
import { VIEW_PARSERS } from "../state/url-state";
import { useAddress } from "../state/use-address";
import { useMeasures } from "../state/use-measures";
import { useView } from "../state/view";

const PARSERS = { breakdown: VIEW_PARSERS.breakdown };

export interface ViewedComposition {
  readonly views: readonly BreakdownView[];
  readonly view: BreakdownView;
  readonly setView: (name: string) => void;
  readonly breakdown: Breakdown;
  readonly window: number;
  /** The size at which it compacts, marked in the window. */
  readonly trigger: number | undefined;
}

/** What fills the window at the cursor, recorded or simulated, broken down by the selected view. */
export function useViewedBreakdown(): ViewedComposition {
  const { summary, columns } = useSession();
  const { recorded, recording, standing } = useRecorded();
  const { simulated, threshold, choice } = useReplay();
  const { at } = useCursor();
  const { side } = useView();
  const [{ breakdown: asked }, update] = useAddress(PARSERS);
  const views = useMemo(() => breakdownViews(summary), [summary]);
  const view = views.find((one) => one.name === asked) ?? views[0] ?? { name: "ours" };
  const measured = useMeasures(columns, policyById(summary.agent ?? "") ?? nonePolicy);
  const ofRecording = side === "recorded";
  const window = ofRecording ? summary.contextWindow.tokens : shownWindow(choice, summary).tokens;
  const own = useMemo(() => ownThreshold(recording, { preset: view.preset })?.tokens, [recording, view]);
  const trigger = ofRecording ? own : threshold;
  const breakdown = useMemo(
    () =>
      viewedBreakdown(view, {
        columns: measured,
        tokens: recording.tokens,
        series: ofRecording ? recorded : simulated,
        simulated: !ofRecording,
        request: at,
        window,
        trigger,
        standing,
      }),
    [view, measured, recording, ofRecording, recorded, simulated, at, window, trigger, standing],
  );
  // A mark beyond the window cannot be drawn.
  const drawn = trigger !== undefined && trigger <= window ? trigger : undefined;
  return { views, view, setView: (name) => void update({ breakdown: name }), breakdown, window, trigger: drawn };
}
