import { memo, useMemo } from "react";
import { useTranslations } from "use-intl";
import type { Frame } from "@/components/charts/frame";
import { Layer } from "@/components/charts/layer";
import { stepPath } from "@/components/charts/step-path";
import { useFormat } from "@/components/format/use-format";
import { useRecorded } from "../state/recorded-data";
import { useReplay } from "../state/replay-data";
import { useSession } from "../state/session-data";
import { BoundaryMarks, BoundaryWords } from "./boundary-mark";
import { isNarrow, LANES } from "./geometry";
import { LevelLine, LevelName } from "./level-line";
import { useRecordedMarks } from "./use-marks";

/** Everything recorded that is drawn over the stack, in ink: usage, boundaries, the window. It does not move with a slider. */
export const RecordedLayer = memo(function RecordedLayer({ frame }: { readonly frame: Frame }) {
  const { summary } = useSession();
  const { recorded, observedTrigger, hasUsage } = useRecorded();
  const marks = useRecordedMarks(frame);
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
  return (
    <Layer frame={frame} className="will-change-transform">
      <LevelLine frame={frame} tokens={summary.contextWindow.tokens} className="stroke-t2" />
      {observedTrigger !== undefined && (
        <LevelLine frame={frame} tokens={observedTrigger} className="stroke-t3" dash="1 3" />
      )}
      <path d={paths.measured} fill="none" className="stroke-t1" strokeWidth="1.5" data-line="recorded" />
      <path
        d={paths.estimated}
        fill="none"
        className={hasUsage ? "stroke-t3" : "stroke-t2"}
        strokeWidth="1.5"
        strokeDasharray="2 2"
        data-line="estimated"
      />
      <BoundaryMarks frame={frame} kind="recorded" marks={marks} />
    </Layer>
  );
});

/** The names of the recorded levels, on top of all lines. */
export const RecordedNames = memo(function RecordedNames({ frame }: { readonly frame: Frame }) {
  const t = useTranslations("session.timeline");
  const format = useFormat();
  const { summary } = useSession();
  const { observedTrigger, recorded } = useRecorded();
  const { simulated } = useReplay();
  const lines = [recorded.context, simulated.context];
  const marks = useRecordedMarks(frame);
  const labelled = !isNarrow(frame);
  const { tokens: window, whole } = summary.contextWindow;
  const name = t(whole === undefined ? "window" : "effectiveWindow", { tokens: format.count(window) });
  return (
    <Layer frame={frame}>
      <LevelName frame={frame} tokens={window} label={name} above={t("above", { name })} lines={lines} />
      {observedTrigger !== undefined && labelled && (
        <LevelName frame={frame} tokens={observedTrigger} label={t("observedTrigger")} end="left" lines={lines} />
      )}
      <BoundaryWords kind="recorded" marks={marks} />
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
    </Layer>
  );
});
