import { useMemo } from "react";
import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { Layer, PlotLayer } from "@/components/charts/layer";
import { stepBand, stepPath } from "@/components/charts/step-path";
import { useFormat } from "@/components/format/use-format";
import { thresholdRuleOf } from "@/lib/core/compaction/threshold-rule";
import { chosenOf } from "@/lib/queries/session/session-context";
import { boundaryKind, sizesReached } from "../shared/boundaries/entries";
import { shownWindow } from "../shared/state/replay-choice";
import { useReplay, useSession } from "../shared/state/stores";
import { isNarrow, useDrawnWindow } from "../shared/timeline/geometry";
import { LevelLine, LevelName, nameInset } from "../shared/timeline/level-line";
import { useSimulatedMarks, useSummaryBand } from "../shared/timeline/use-marks";
import { BoundaryMarks, BoundaryWords } from "./boundary-mark";

/** The line of the simulated context. Before a compaction it reaches the size that the compaction found. */
function useSimulatedPath({ x, y, from, to }: Frame): string {
  const { simulated, choice } = useReplay("simulated", "choice");
  return useMemo(() => {
    const compactions = simulated.compactions.filter((one) => boundaryKind(one, choice.policy) === "compaction");
    return stepPath(simulated.context, x, y, { from, to, reached: sizesReached(compactions) });
  }, [simulated, choice.policy, x, y, from, to]);
}

/** A halo in the background's colour around the simulated line, below the recorded line: both stay visible even if they coincide. */
export function SimulatedHalo({ frame }: { readonly frame: Frame }) {
  const path = useSimulatedPath(frame);
  return (
    <PlotLayer frame={frame} className="will-change-transform">
      <path d={path} fill="none" stroke="var(--bg)" strokeWidth="4" shapeRendering="crispEdges" />
    </PlotLayer>
  );
}

/**
 * The range of the simulated line, from the smallest to the largest observed sizes that a compaction adds. It lies below all lines, as an outline: a
 * filled one would look like content and hide them.
 */
export function SummaryBandLayer({ frame }: { readonly frame: Frame }) {
  const band = useSummaryBand();
  if (band === undefined) return null;
  const path = stepBand(band.low, band.high, frame.x, frame.y, frame);
  return (
    <PlotLayer frame={frame} className="will-change-transform">
      <path
        d={path}
        className="fill-accent/8 stroke-accent/45"
        strokeWidth="0.75"
        shapeRendering="crispEdges"
        data-band="summary"
      />
    </PlotLayer>
  );
}

/**
 * Everything that follows a slider, on a separate layer so that the stack is not painted again: trigger, simulated line, simulated boundaries, and
 * their names above the recorded ones. Accent, dashed.
 */
export function SimulatedLayer({ frame }: { readonly frame: Frame }) {
  const path = useSimulatedPath(frame);
  const marks = useSimulatedMarks(frame);
  const clip = `plot-${frame.width}`;
  return (
    <Layer frame={frame} data-testid="simulated-layer" className="will-change-transform">
      <clipPath id={clip}>
        <rect x={frame.left} y={frame.top - 1} width={frame.plotWidth} height={frame.plotHeight + 2} />
      </clipPath>
      <TriggerLevel frame={frame} />
      <g clipPath={`url(#${clip})`} fill="none" shapeRendering="crispEdges">
        <path d={path} className="stroke-accent" strokeWidth="1.75" strokeDasharray="5 3" data-line="simulated" />
      </g>
      <BoundaryMarks frame={frame} kind="simulated" marks={marks} />
      <BoundaryWords kind="simulated" marks={marks} />
      <TriggerName frame={frame} />
    </Layer>
  );
}

/** The line at the requested trigger, which follows the handle at once. */
function TriggerLevel({ frame }: { readonly frame: Frame }) {
  const choice = useReplay(({ asked }) => asked);
  const threshold = choice.policy.threshold?.(chosenOf(choice));
  if (threshold === undefined) return null;
  return <LevelLine frame={frame} tokens={threshold} className="stroke-accent" dash="1 3" />;
}

/** The trigger's name. It is next to the window's name if the two levels are close. */
function TriggerName({ frame }: { readonly frame: Frame }) {
  const t = useTranslations("session.timeline");
  const format = useFormat();
  const { threshold, choice, simulated } = useReplay("threshold", "choice", "simulated");
  const { recorded, summary } = useSession("recorded", "summary");
  const window = useDrawnWindow();
  const lines = [recorded.context, simulated.context];
  if (threshold === undefined || isNarrow(frame)) return null;
  const inset = nameInset(frame, threshold, { tokens: window.tokens, label: window.name });
  // A person who sees the line above its trigger, or a compaction below it, wants to know why.
  const rule = thresholdRuleOf(choice.policy, chosenOf(choice), simulated);
  const share = format.percent(threshold / shownWindow(choice, summary));
  const short = t("trigger", { share });
  const label = rule === undefined ? short : t(`triggerRule.${rule}`, { share });
  const place = { frame, tokens: threshold, inset, lines };
  return <LevelName {...place} label={label} shorter={short} className="fill-accent" />;
}
