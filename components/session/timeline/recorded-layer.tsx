"use client";

import { memo, useMemo } from "react";
import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { stepPath } from "@/components/charts/step-path";
import { useFormat } from "@/components/format/use-format";
import { boundariesOf } from "@/lib/core/columns/columns";
import { useRecorded } from "../state/recorded-data";
import { useSession } from "../state/session-data";
import { BoundaryMark } from "./boundary-mark";
import { placedMarks } from "./boundary-marks";
import { isNarrow, LANES } from "./geometry";
import { LevelLine } from "./level-line";

/** Everything recorded that is drawn over the stack, in ink: usage, boundaries, the window. Does not move with a slider. */
export const RecordedLayer = memo(function RecordedLayer({ frame }: { readonly frame: Frame }) {
  const t = useTranslations("session.timeline");
  const format = useFormat();
  const { summary, columns } = useSession();
  const { recorded, observedTrigger, hasUsage } = useRecorded();
  const paths = useMemo(() => {
    const { from, to } = frame;
    const of = (estimated: number): string =>
      stepPath(recorded.context, frame.x, frame.y, {
        from,
        to,
        include: (request) => recorded.estimated[request] === estimated,
      });
    return { measured: of(0), estimated: of(1) };
  }, [recorded, frame]);
  const labelled = !isNarrow(frame);
  const marks = placedMarks(recorded.compactions, frame, format.short, labelled);
  const clearings = boundariesOf(columns, "clearing")
    .map((row) => columns.boundaries.request[row] ?? 0)
    .filter((request) => request >= frame.from && request < frame.to);
  const window = summary.contextWindow.tokens;
  return (
    <svg
      aria-hidden="true"
      className="pointer-events-none absolute inset-0 will-change-transform"
      width={frame.width}
      height={frame.height}
    >
      <LevelLine
        frame={frame}
        tokens={window}
        className="stroke-t2"
        label={t("window", { tokens: format.count(window) })}
        above={t("above", { name: t("window", { tokens: format.count(window) }) })}
      />
      {observedTrigger !== undefined && (
        <LevelLine
          frame={frame}
          tokens={observedTrigger}
          className="stroke-t3"
          dash="1 3"
          end="left"
          {...(labelled ? { label: t("observedTrigger") } : {})}
        />
      )}
      {clearings.map((request) => (
        <BoundaryMark key={request} frame={frame} px={frame.x.px(request)} kind="clearing" side="none" />
      ))}
      <path d={paths.measured} fill="none" className="stroke-t1" strokeWidth="1.5" data-line="recorded" />
      <path
        d={paths.estimated}
        fill="none"
        className={hasUsage ? "stroke-t3" : "stroke-t2"}
        strokeWidth="1.5"
        strokeDasharray="2 2"
        data-line="estimated"
      />
      {marks.map(({ ordinal, ...mark }) => (
        <BoundaryMark key={ordinal} frame={frame} kind="recorded" {...mark} />
      ))}
      {labelled && (
        <g className="text-xs" textAnchor="end">
          <text x={frame.left - 8} y={LANES.recorded + 9} className="fill-t2">
            {t("laneRecorded")}
          </text>
          <text x={frame.left - 8} y={LANES.simulated + 9} className="fill-accent">
            {t("laneSimulated")}
          </text>
        </g>
      )}
    </svg>
  );
});
