"use client";

import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { stepPath } from "@/components/charts/step-path";
import { useFormat } from "@/components/format/use-format";
import { useReplay } from "../state/replay-data";
import { BoundaryMark } from "./boundary-mark";
import { placedMarks } from "./boundary-marks";
import { isNarrow } from "./geometry";
import { LevelLine } from "./level-line";

/** What follows the finger: trigger, simulated line, simulated boundaries. Accent, dashed, over a halo. */
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
      className="pointer-events-none absolute inset-0"
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
        <path d={path} stroke="var(--bg)" strokeWidth="4" />
        <path d={path} className="stroke-accent" strokeWidth="1.75" strokeDasharray="5 3" data-line="simulated" />
      </g>
      {marks.map(({ ordinal, ...mark }) => (
        <BoundaryMark key={ordinal} frame={frame} kind="simulated" {...mark} />
      ))}
    </svg>
  );
}
