import { type RefObject, useMemo } from "react";
import { useTranslations } from "use-intl";
import { Axes } from "@/components/charts/axes";
import { chartFrame, type Frame } from "@/components/charts/frame";
import { Layer } from "@/components/charts/layer";
import { stepPath } from "@/components/charts/step-path";
import { boldWidth, shortenedTo } from "@/components/charts/text-width";
import { useSize } from "@/components/charts/use-size";
import { useFormat } from "@/components/format/use-format";
import { highestContext } from "@/lib/core/compaction/replay-totals";
import { RunLetter, RunLine } from "../shared/runs/run-mark";
import { runStyle } from "../shared/runs/run-style";
import { useSession, useView } from "../shared/state/stores";
import { CursorCard, usePointed } from "../shared/timeline/cursor-parts";
import { PointerSurface } from "../shared/timeline/pointer-surface";
import { useRunWords } from "./compared-runs";
import { useComparison } from "./comparison";
import { Lanes } from "./lanes";
import { overlayTop, WindowLines, WindowNames } from "./window-levels";

/** Below this width there is no space for labels next to the lines; the chips and lanes name them instead. */
const NARROW = 640;
/** All labels are as wide as the longest one, but at least `least` pixels and at most the share `most` of the chart. */
const LABELS = { least: 132, most: 0.2 };
const LABEL_GAP = 8;

/** The context of every run over the requests, as steps on one scale. Below it, each run has a lane of boundaries. */
export function OverlayChart({ figure }: { readonly figure: RefObject<HTMLElement | null> }) {
  const t = useTranslations("compare.chart");
  const format = useFormat();
  const { points } = useSession("points");
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
  const { range } = useView("range");
  const longest = Math.max(...labels.map(boldWidth)) + 2 * LABEL_GAP;
  const room = Math.min(Math.max(LABELS.least, longest), Math.round(width * LABELS.most));
  const top = overlayTop(
    Math.max(...runs.map(({ replay }) => highestContext(replay))),
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

/** The label at the end of each run's line. */
function useEndLabels(): readonly string[] {
  const words = useRunWords();
  const { runs } = useComparison();
  return runs.map((run, index) => `${runStyle(index).letter} ${words.name(run)}`);
}

/** The runs' names next to the ends of their lines. */
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

/** A label next to the end of a line. */
interface EndLabel {
  readonly index: number;
  /** Height of the line's end, in pixels from the top. */
  readonly y: number;
}

/** Places labels near the ends of their lines, in the same order: at least `height` apart, and within [top, bottom] if they fit. */
export function placedLabels(
  ends: readonly EndLabel[],
  height: number,
  top: number,
  bottom: number,
): readonly EndLabel[] {
  const order = ends.toSorted((a, b) => a.y - b.y || a.index - b.index);
  let from = top;
  const down = order.map(({ index, y }) => {
    const placed = Math.max(y, from);
    from = placed + height;
    return { index, y: placed };
  });
  let until = bottom;
  return down
    .toReversed()
    .map(({ index, y }) => {
      const placed = Math.max(top, Math.min(y, until));
      until = placed - height;
      return { index, y: placed };
    })
    .toReversed();
}

const WIDTH = 280;

/** The current request: a line, and a dot on every run's line. */
function OverlayCursor({ frame }: { readonly frame: Frame }) {
  const at = usePointed(frame);
  const { runs } = useComparison();
  if (at === null) return null;
  const x = Math.round(frame.x.px(at + 0.5)) + 0.5;
  return (
    <Layer frame={frame}>
      <line x1={x} x2={x} y1={frame.top} y2={frame.bottom} className="stroke-t1" />
      {runs.map(({ replay }, index) => (
        <circle
          key={runStyle(index).letter}
          cx={x}
          cy={Math.max(frame.top, frame.y.px(replay.context[at] ?? 0))}
          r="3.5"
          className="fill-bg"
          stroke={runStyle(index).colour}
          strokeWidth="1.75"
        />
      ))}
    </Layer>
  );
}

/** The context that every run would have sent with the current request. */
function OverlayCard({ frame }: { readonly frame: Frame }) {
  const t = useTranslations("compare.chart");
  const timeline = useTranslations("session.timeline");
  const words = useRunWords();
  const format = useFormat();
  const at = usePointed(frame);
  const { runs } = useComparison();
  if (at === null) return null;
  return (
    <CursorCard frame={frame} at={at} width={Math.min(WIDTH, frame.width)} testId="compare-card">
      <p className="mb-1 font-semibold">{timeline("request", { request: at })}</p>
      <table className="w-full border-collapse whitespace-nowrap">
        <thead>
          <tr className="text-sm text-t3 [&>th]:pb-1 [&>th]:font-normal">
            <th scope="col" className="text-left">
              {t("run")}
            </th>
            <th scope="col" className="text-right">
              {t("context")}
            </th>
            <th scope="col" className="pl-3 text-right">
              {t("ofWindow")}
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run, index) => {
            const tokens = run.replay.context[at] ?? 0;
            return (
              <tr key={runStyle(index).letter}>
                <th scope="row" className="flex h-6 max-w-40 items-center gap-1.5 text-left font-normal">
                  <RunLine index={index} />
                  <RunLetter index={index} />
                  <span className="truncate">{words.name(run)}</span>
                </th>
                <td className="text-right">{format.count(tokens)}</td>
                <td className="pl-3 text-right text-t2">{((tokens / run.window) * 100).toFixed(1)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </CursorCard>
  );
}
