import type { Sparkline } from "@/lib/queries/contract/types";

export const SPARK_WIDTH = 208;
export const SPARK_HEIGHT = 24;

/** y of 0 % and of 100 % of the window. */
const FLOOR = 22;
const CEILING = 4;
/** Width of one request until the sparkline is full: short sessions get a short sparkline. */
const REQUEST_WIDTH = 5.2;
const FOOT_WIDTH = 6;

interface SparkPaths {
  /** The steps from left to right. */
  readonly line: string;
  /** The steps as an area, closed along the floor. */
  readonly area: string;
  /** A ⟂ per boundary: a stroke with a foot. If the feet would touch, every boundary is a short stroke, which hides less of the context. */
  readonly ticks: string;
  /** y of 100 % of the window. */
  readonly ceiling: number;
  readonly floor: number;
}

/** Paths of a sparkline of `requests` requests on a plane of 208 × 24. It has steps instead of slopes, since a request is discrete. */
export function sparkPaths({ share, boundaries }: Sparkline, requests: number): SparkPaths {
  const width = Math.min(SPARK_WIDTH, Math.max(requests, share.length === 0 ? 0 : 1) * REQUEST_WIDTH);
  const step = share.length === 0 ? 0 : width / share.length;
  let line = "";
  share.forEach((thousandths, index) => {
    const y = heightOf(thousandths / 1000);
    line += `${index === 0 ? "M0 " : "V"}${y}H${round((index + 1) * step)}`;
  });
  const places = boundaries.map((place) => round(Math.min(1, Math.max(0, place)) * width));
  const hasFeet = places.every((x, index) => index === 0 || x - (places[index - 1] ?? 0) >= FOOT_WIDTH);
  const ticks = places
    .map((x) => (hasFeet ? `M${x} 1V23M${round(x - FOOT_WIDTH / 2)} 22.5h${FOOT_WIDTH}` : `M${x} 19V23`))
    .join("");
  return { line, area: line === "" ? "" : `${line}V${FLOOR}H0Z`, ticks, ceiling: CEILING, floor: FLOOR };
}

/** A context above the window is drawn up to the edge, never beyond it. */
function heightOf(share: number): number {
  return round(Math.max(0.5, FLOOR - Math.max(0, share) * (FLOOR - CEILING)));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
