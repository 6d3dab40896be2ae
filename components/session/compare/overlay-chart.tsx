import { type RefObject, useMemo } from "react";
import { useTranslations } from "use-intl";
import { Axes } from "@/components/charts/axes";
import { chartFrame, type Frame } from "@/components/charts/frame";
import { stepPath } from "@/components/charts/step-path";
import { boldWidth, shortenedTo } from "@/components/charts/text-width";
import { useSize } from "@/components/charts/use-size";
import { useFormat } from "@/components/format/use-format";
import { useSession } from "../state/session-data";
import { useView } from "../state/view";
import { PointerSurface } from "../timeline/pointer-surface";
import { useComparison } from "./comparison";
import { placedLabels } from "./end-labels";
import { Lanes } from "./lanes";
import { OverlayCard, OverlayCursor } from "./overlay-cursor";
import { runStyle } from "./run-style";
import { useRunWords } from "./use-run-words";
import { WindowLines, WindowNames } from "./window-levels";
import { overlayTop } from "./windows";

/** Below this width there is no room for labels beside the lines; the chips and lanes name them instead. */
const NARROW = 640;
/** The room for those labels: as much as the longest takes, within these. */
const LABELS = { least: 132, most: 0.2 };
const LABEL_GAP = 8;

/** The context of every run over the requests, as steps on one scale. Below it, each run has a lane of boundaries. */
export function OverlayChart({ figure }: { readonly figure: RefObject<HTMLElement | null> }) {
  const t = useTranslations("compare.chart");
  const format = useFormat();
  const { points } = useSession();
  const { runs } = useComparison();
  const [ref, size] = useSize<HTMLDivElement>();
  const frame = useOverlayFrame(size.width, size.height);
  return (
    <figure ref={figure} aria-label={t("title")} className="shrink-0">
      <div ref={ref} className="relative h-[clamp(220px,30dvh,560px)]">
        {size.width > 0 && (
          <>
            <Axes frame={frame} compact={format.short} />
            <Lines frame={frame} label={t("label", { requests: points, runs: runs.length })} />
            <OverlayCursor frame={frame} />
            <PointerSurface frame={frame} />
            <OverlayCard frame={frame} />
          </>
        )}
      </div>
      {size.width > 0 && <Lanes frame={frame} />}
    </figure>
  );
}

function useOverlayFrame(width: number, height: number): Frame {
  const { runs } = useComparison();
  const labels = useEndLabels();
  const { range } = useView();
  const longest = Math.max(...labels.map(boldWidth)) + 2 * LABEL_GAP;
  const room = Math.min(Math.max(LABELS.least, longest), Math.round(width * LABELS.most));
  const top = overlayTop(
    Math.max(...runs.map(({ replay }) => replay.totals.peak)),
    runs.map(({ window }) => window),
  );
  const narrow = width < NARROW;
  return useMemo(
    () =>
      chartFrame({
        width,
        height,
        margin: { left: narrow ? 42 : 52, right: narrow ? 10 : room, top: 14, bottom: 26 },
        from: range.from,
        to: range.to,
        top,
      }),
    [width, height, narrow, room, range, top],
  );
}

function Lines({ frame, label }: { readonly frame: Frame; readonly label: string }) {
  const { runs } = useComparison();
  const span = { from: frame.from, to: frame.to };
  const paths = useMemo(
    () => runs.map(({ replay }) => stepPath(replay.context, frame.x, frame.y, { from: frame.from, to: frame.to })),
    [runs, frame],
  );
  return (
    <svg role="img" aria-label={label} className="absolute inset-0" width={frame.width} height={frame.height}>
      <clipPath id={`overlay-${frame.width}`}>
        <rect x={frame.left} y={frame.top - 1} width={frame.plotWidth} height={frame.plotHeight + 2} />
      </clipPath>
      <WindowLines frame={frame} />
      <g clipPath={`url(#overlay-${frame.width})`} fill="none" shapeRendering="crispEdges">
        {paths.toReversed().map((path, fromLast) => {
          const { letter, colour, dash } = runStyle(paths.length - 1 - fromLast);
          return (
            <g key={letter} data-line={letter}>
              <path d={path} stroke="var(--bg)" strokeWidth="3.5" strokeOpacity="0.7" />
              <path d={path} stroke={colour} strokeWidth="1.75" strokeDasharray={dash} />
            </g>
          );
        })}
      </g>
      <WindowNames frame={frame} />
      {frame.width >= NARROW && <EndLabels frame={frame} to={span.to} />}
    </svg>
  );
}

/** What stands at the end of each run's line. */
function useEndLabels(): readonly string[] {
  const words = useRunWords();
  const { runs } = useComparison();
  return runs.map((run, index) => `${runStyle(index).letter} ${words.name(run)}`);
}

/** The runs' names beside the ends of their lines. */
function EndLabels({ frame, to }: { readonly frame: Frame; readonly to: number }) {
  const labels = useEndLabels();
  const { runs } = useComparison();
  const room = frame.width - frame.right - LABEL_GAP;
  const ends = runs.map(({ replay }, index) => ({ index, y: frame.y.px(replay.context[to - 1] ?? 0) }));
  return placedLabels(ends, 15, frame.top + 4, frame.bottom).map(({ index, y }) => {
    const { letter, colour } = runStyle(index);
    return (
      <text key={letter} x={frame.right + LABEL_GAP} y={y + 4} fill={colour} className="text-xs font-semibold">
        {shortenedTo(labels[index] ?? letter, room)}
      </text>
    );
  });
}
