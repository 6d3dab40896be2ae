import { type CSSProperties, type KeyboardEvent, useState } from "react";
import { useTranslations } from "use-intl";
import { clamp } from "@/components/charts/scale";
import { useSize } from "@/components/charts/use-size";
import { useFormat } from "@/components/format/use-format";
import { usePolicyWords } from "@/components/settings/use-words";
import { cn } from "@/components/ui/cn";
import { rangeValues, type VaryRange } from "@/lib/core/analysis/grid";
import type { Axis } from "./axes";
import { useIsPointed, usePointAt } from "./pointed";
import { hasChoice, type ShownPoints } from "./points";
import { useSweepData } from "./sweep-data";
import { useSweepWords } from "./use-sweep-words";

const HEAD_PX = 48;
/** Narrower cells show only their colour; the value is in the name, the tooltip and the table. */
const TEXT_PX = 38;
/** Narrower cells have no space for the dot next to their value; the frame has the same meaning. */
const DOT_PX = 54;

interface HeatMapProps {
  readonly shown: ShownPoints;
  readonly first: Axis;
  readonly second: Axis;
  readonly testId: string;
}

/** A metric over two settings. The cells are one Tab stop; arrow keys move among them. */
export function HeatMap({ shown, first, second, testId }: HeatMapProps) {
  const t = useTranslations("sweep.map");
  const words = usePolicyWords();
  const { metric } = useSweepData();
  const sweep = useSweepWords();
  const [ref, size] = useSize<HTMLDivElement>();
  const grid = mapGrid(first.range, second.range);
  const keys = useGridKeys(grid);
  const range = extent(shown.points.map(({ metrics }) => metrics[metric]));
  const cellPx = (size.width - HEAD_PX) / grid.across.length;
  const pointAt = usePointAt();
  return (
    <figure aria-label={t("title")}>
      <figcaption className="pb-1 text-xs text-t2">{sweep.axis(second.spec)}</figcaption>
      <div ref={ref}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the cells are one stop of the keyboard, arrows move among them
          role="grid"
          aria-label={t("label", {
            metric: sweep.metric(metric),
            across: words.setting(first.spec),
            up: words.setting(second.spec),
          })}
          onKeyDown={keys.onKeyDown}
          onPointerOver={({ target }) => pointAt(cellOf(target))}
          onPointerLeave={() => pointAt(null)}
          onFocus={({ target }) => pointAt(cellOf(target))}
          onBlur={() => pointAt(null)}
          data-testid={`${testId}heat-map`}
          className="w-full table-fixed border-separate border-spacing-px"
        >
          <colgroup>
            <col style={{ width: HEAD_PX }} />
          </colgroup>
          <tbody>
            {grid.up.map((value, row) => (
              <tr key={value}>
                <th scope="row" className="pr-2 text-right text-xs font-normal text-t2">
                  {sweep.tick(second.spec, value)}
                </th>
                {grid.across.map((across, column) => (
                  <td key={across} className="p-0">
                    <Cell
                      shown={shown}
                      index={grid.index(row, column)}
                      range={range}
                      px={cellPx}
                      focusable={keys.row === row && keys.column === column}
                      onFocus={() => keys.focus(row, column)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <AcrossTicks axis={first} values={grid.across} width={size.width} />
        </table>
      </div>
      <p className="text-center text-xs text-t2">{sweep.axis(first.spec)}</p>
    </figure>
  );
}

/** The index of the point whose cell an event hit; `null` between cells. */
function cellOf(target: EventTarget): number | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-cell]")?.dataset.cell : undefined;
  return cell === undefined ? null : Number(cell);
}

interface CellProps {
  readonly shown: ShownPoints;
  readonly index: number;
  /** The extent of the whole map. */
  readonly range: Extent;
  /** Width of the cell, in pixels. */
  readonly px: number;
  readonly focusable: boolean;
  readonly onFocus: () => void;
}

function Cell({ shown, index, range, px, focusable, onFocus }: CellProps) {
  const t = useTranslations("sweep.map");
  const words = useSweepWords();
  const format = useFormat();
  const { metric, isCurrent, isOwn, open } = useSweepData();
  const pointed = useIsPointed(index);
  const point = shown.points[index];
  if (point === undefined) return null;
  const value = point.metrics[metric];
  const step = rampStep(value, range);
  const onFront = shown.front[index] === true && hasChoice(shown);
  const current = isCurrent(point);
  const own = isOwn(point);
  const state = [onFront ? t("onFront") : null, current ? t("current") : null, own ? t("own") : null].filter(
    (part) => part !== null,
  );
  const text = words.metricValue(metric, value, point.bands[metric]);
  const valueText = `${words.metric(metric)} ${text}`;
  const name = format.clauses([words.set(point.set), valueText, ...state]);
  return (
    <button
      type="button"
      tabIndex={focusable ? 0 : -1}
      aria-label={name}
      aria-current={current}
      data-cell={index}
      data-front={onFront}
      data-own={own}
      data-step={step ?? "none"}
      onFocus={onFocus}
      onClick={() => open(point)}
      className={cn(
        "relative block h-6 w-full overflow-hidden rounded-[2px] text-center text-xs touch:h-10",
        onFront && "outline-2 -outline-offset-2 outline-t1",
        current && "z-10 outline-3 -outline-offset-1 outline-accent",
        pointed && "z-20 ring-2 ring-t1 ring-offset-1 ring-offset-bg",
        "focus-visible:z-20 focus-visible:outline-offset-1",
      )}
      style={cellStyle(step)}
    >
      {px >= TEXT_PX && text}
      {own && <span aria-hidden className="absolute bottom-1 left-1 size-1.5 rotate-45 border border-current" />}
      {onFront && (px < TEXT_PX || px >= DOT_PX) && (
        <span aria-hidden className="absolute top-1 right-1 size-1 rounded-full bg-current" />
      )}
    </button>
  );
}

/** Paint for a point without the metric. It has no place on the ramp: it is hatched, and is neither the lowest nor the highest. */
function cellStyle(step: number | undefined): CSSProperties {
  if (step !== undefined) return { backgroundColor: `var(--ramp-${step})`, color: `var(--ramp-ink-${step})` };
  const hatching = "repeating-linear-gradient(45deg, var(--line) 0 1px, transparent 1px 6px)";
  return { backgroundColor: "var(--bg)", backgroundImage: hatching, color: "var(--t3)" };
}

interface AcrossTicksProps {
  readonly axis: Axis;
  readonly values: readonly number[];
  readonly width: number;
}

/** Values of the first setting below their columns; for narrow columns, every second or third value. */
function AcrossTicks({ axis, values, width }: AcrossTicksProps) {
  const words = useSweepWords();
  const every = Math.max(1, Math.ceil(32 / Math.max(1, (width - HEAD_PX) / values.length)));
  return (
    <tfoot>
      <tr>
        <td />
        {values.map((value, column) => (
          <th
            key={value}
            scope="col"
            className="overflow-visible p-0 text-center text-xs font-normal whitespace-nowrap text-t2"
          >
            <span className={cn(column % every !== 0 && "sr-only")}>{words.tick(axis.spec, value)}</span>
          </th>
        ))}
      </tr>
    </tfoot>
  );
}

interface GridKeys {
  readonly row: number;
  readonly column: number;
  readonly focus: (row: number, column: number) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-5, 0],
  PageDown: [5, 0],
  Home: [0, Number.NEGATIVE_INFINITY],
  End: [0, Number.POSITIVE_INFINITY],
};

/** Tab reaches one cell, arrow keys reach the others. */
function useGridKeys(grid: MapGrid): GridKeys {
  const [at, setAt] = useState({ row: 0, column: 0 });
  const row = clamp(at.row, 0, grid.up.length - 1);
  const column = clamp(at.column, 0, grid.across.length - 1);
  return {
    row,
    column,
    focus: (nextRow, nextColumn) => setAt({ row: nextRow, column: nextColumn }),
    onKeyDown: (event) => {
      const step = STEPS[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const nextRow = clamp(row + step[0], 0, grid.up.length - 1);
      const nextColumn = clamp(column + step[1], 0, grid.across.length - 1);
      setAt({ row: nextRow, column: nextColumn });
      const index = grid.index(nextRow, nextColumn);
      event.currentTarget.querySelector<HTMLElement>(`[data-cell="${index}"]`)?.focus();
    },
  };
}

export const RAMP_STEPS = 6;

/** Lowest and highest value; absent if no point has a value. */
type Extent = readonly [low: number, high: number] | undefined;

/** Lowest and highest of the values, ignoring the points without one. */
export function extent(values: readonly (number | null)[]): Extent {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value === null) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low > high ? undefined : [low, high];
}

/** A value's step of the ramp, from 1 (light) to 6 (dark); always 1 if all values are equal; `undefined` without a value. */
export function rampStep(value: number | null, range: Extent): number | undefined {
  if (value === null || range === undefined) return undefined;
  const [low, high] = range;
  if (high === low) return 1;
  return Math.min(RAMP_STEPS, 1 + Math.floor(((value - low) / (high - low)) * RAMP_STEPS));
}

/** The layout of a map: rows from the highest value of the second setting down, columns from the lowest value of the first setting on. */
interface MapGrid {
  readonly across: readonly number[];
  readonly up: readonly number[];
  /** A point's position among the sweep's points. */
  readonly index: (row: number, column: number) => number;
}

/** The grid of two ranges; in the order of the points the first range varies slowest. */
export function mapGrid(first: VaryRange, second: VaryRange): MapGrid {
  const across = rangeValues(first);
  const up = rangeValues(second);
  return { across, up: up.toReversed(), index: (row, column) => column * up.length + (up.length - 1 - row) };
}
