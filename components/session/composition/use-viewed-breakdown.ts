import { useCallback, useMemo } from "react";
import { agentName } from "@/lib/agents/agents";
import { policyById, profileOf } from "@/lib/agents/policies";
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
  /** `/context` at the cursor, printed by the session's agent or the chosen policy's agent; absent if neither prints one. */
  readonly printed: PrintedContext | undefined;
}

/** An agent's printed breakdown of its window. */
interface PrintedContext {
  readonly agent: string;
  readonly text: string;
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
  const viewedBy = useCallback(
    (by: BreakdownView, of: Side, request: number, columns = measured): ViewedAt => {
      const ofRecording = of === "recorded";
      const ofSession = recordedWindow(summary, undefined, by.preset);
      const window = ofRecording ? ofSession.tokens : simulatedWindow;
      const trigger = ofRecording ? own : threshold;
      const breakdown = viewedBreakdown(by, {
        columns,
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
    [measured, recording, recorded, simulated, summary, choice.window, simulatedWindow, own, threshold, overhead],
  );
  const viewed = useCallback((of: Side, request: number) => viewedBy(view, of, request), [viewedBy, view]);
  const shown = useMemo(() => viewed(side, at), [viewed, side, at]);
  const { policy, preset } = choice;
  const measuredByPolicy = useMeasures(session, columns, policy);
  const printed = useMemo(() => {
    const by = printingView([view, ...views], summary.agent) ?? printingView(policyViews(policy.id, preset), policy.id);
    if (by === undefined) return undefined;
    const { breakdown, window } =
      by.view === view ? shown : viewedBy(by.view, side, at, by.agent === policy.id ? measuredByPolicy : measured);
    const about = { window, model: summary.models.at(-1) ?? "", view: "detail" } as const;
    return { agent: by.label, text: by.text(breakdown, about, by.preset) };
  }, [view, views, policy, preset, shown, viewedBy, measured, measuredByPolicy, side, at, summary]);
  return { ...shown, views, view, setView: (name) => void update({ breakdown: name }), viewed, printed };
}

/** The views of a policy's agent; the preset in force comes first. */
function policyViews(policy: string, preset: string): readonly BreakdownView[] {
  const own = profileOf(policy)?.breakdown;
  if (own === undefined) return [];
  const presets = own.presets.includes(preset) ? [preset] : own.presets;
  return presets.map((name) => ({ name: `${policy}@${name}`, preset: name, own }));
}

/** The first view that its agent prints. */
function printingView(views: readonly BreakdownView[], agent: string | null) {
  const view = views.find(({ own }) => own?.text !== undefined);
  const text = view?.own?.text;
  const label = agentName(agent)?.label;
  if (view?.preset === undefined || text === undefined || label === undefined) return undefined;
  return { view, agent, label, preset: view.preset, text };
}
