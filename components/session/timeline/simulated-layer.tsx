"use client";

import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { stepBand } from "@/components/charts/step-band";
import { stepPath } from "@/components/charts/step-path";
import { useFormat } from "@/components/format/use-format";
import { useReplay } from "../state/replay-data";
import { useSummaryBand } from "../state/use-summary-band";
import { BoundaryMark } from "./boundary-mark";
import { placedMarks } from "./boundary-marks";
import { isNarrow } from "./geometry";
import { LevelLine } from "./level-line";

/** Surface around the simulated line, below the recorded one: where both are the same, both can be seen. */
export function SimulatedHalo({ frame }: { readonly frame: Frame }) {
  const { simulated } = useReplay();
  const path = stepPath(simulated.context, frame.x, frame.y, { from: frame.from, to: frame.to });
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none absolute overflow-hidden will-change-transform"
      style={{ left: frame.left, top: frame.top }}
      width={frame.plotWidth}
      height={frame.plotHeight}
      viewBox={`${frame.left} ${frame.top} ${frame.plotWidth} ${frame.plotHeight}`}
    >
      <path d={path} fill="none" stroke="var(--bg)" strokeWidth="4" shapeRendering="crispEdges" />
    </svg>
  );
}

/** Between what the session's smallest and largest summary make of the simulated line; below every line. */
export function SummaryBandLayer({ frame }: { readonly frame: Frame }) {
  const band = useSummaryBand();
  if (band === undefined) return null;
  const path = stepBand(band.low, band.high, frame.x, frame.y, { from: frame.from, to: frame.to });
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none absolute overflow-hidden will-change-transform"
      style={{ left: frame.left, top: frame.top }}
      width={frame.plotWidth}
      height={frame.plotHeight}
      viewBox={`${frame.left} ${frame.top} ${frame.plotWidth} ${frame.plotHeight}`}
    >
      <path d={path} className="fill-accent/25" shapeRendering="crispEdges" data-band="summary" />
    </svg>
  );
}

/** What follows the finger, on a layer of its own so that the stack is not painted again: trigger, simulated line, simulated boundaries. Accent, dashed. */
export function SimulatedLayer({ frame }: { readonly frame: Frame }) {
  const t = useTranslations("session.timeline");
  const format = useFormat();
  const { simulated, threshold, choice } = useReplay();
  const path = stepPath(simulated.context, frame.x, frame.y, { from: frame.from, to: frame.to });
  const labelled = !isNarrow(frame);
  const marks = placedMarks(simulated.compactions, frame, format.short, labelled);
  const clip = `plot-${frame.width}`;
  const share = threshold === undefined ? 0 : threshold / choice.window.tokens;
  return (
    <svg
      aria-hidden="true"
      data-testid="simulated-layer"
      className="pointer-events-none absolute inset-0 will-change-transform"
      width={frame.width}
      height={frame.height}
    >
      <clipPath id={clip}>
        <rect x={frame.left} y={frame.top - 1} width={frame.plotWidth} height={frame.plotHeight + 2} />
      </clipPath>
      {threshold !== undefined && (
        <LevelLine
          frame={frame}
          tokens={threshold}
          className="stroke-accent"
          dash="1 3"
          labelClassName="fill-accent"
          {...(labelled ? { label: t("trigger", { share: format.percent(share) }) } : {})}
        />
      )}
      <g clipPath={`url(#${clip})`} fill="none" shapeRendering="crispEdges">
        <path d={path} className="stroke-accent" strokeWidth="1.75" strokeDasharray="5 3" data-line="simulated" />
      </g>
      {marks.map(({ ordinal, ...mark }) => (
        <BoundaryMark key={ordinal} frame={frame} kind="simulated" {...mark} />
      ))}
    </svg>
  );
}
