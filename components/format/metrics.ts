import type { Band, Metric, MetricUnit } from "@/lib/core/metrics/metric";
import type { Format } from "./format";

type Unit = Pick<Metric, "unit">;

interface UnitFormat {
  /** In full: 156,579 or 12.5 %. */
  readonly exact: (value: number, format: Format) => string;
  /** Short enough for a map's cell: 157k or 13 %. */
  readonly short: (value: number, format: Format) => string;
  /** Next to an axis. */
  readonly tick: (value: number, format: Format) => string;
  /** The signed difference of two values: +20,215; of shares +4.8 %. */
  readonly difference: (value: number, format: Format) => string;
}

const COUNTED: UnitFormat = {
  exact: (value, format) => format.count(value),
  short: (value, format) => format.aligned(value),
  tick: (value, format) => format.short(value),
  difference: (value, format) => format.difference(value),
};

const SHARE: UnitFormat = {
  exact: (value, format) => format.percent(value, 1),
  short: (value, format) => format.percent(value),
  tick: (value, format) => format.percent(value),
  difference: (value, format) => format.change(value, 1),
};

const DOLLARS: UnitFormat = {
  exact: (value, format) => format.usd(value),
  short: (value, format) => format.usd(value),
  tick: (value, format) => format.usdShort(value),
  difference: (value, format) => format.usdDifference(value),
};

const UNITS: Readonly<Record<MetricUnit, UnitFormat>> = {
  tokens: COUNTED,
  requests: COUNTED,
  count: COUNTED,
  share: SHARE,
  dollars: DOLLARS,
};

/** A metric in full: 156,579 or 12.5 %. */
export function exactMetric({ unit }: Unit, value: number, format: Format): string {
  return UNITS[unit].exact(value, format);
}

/** A metric, short enough for a map's cell: 157k or 13 %. */
export function shortMetric({ unit }: Unit, value: number, format: Format): string {
  return UNITS[unit].short(value, format);
}

/** A metric next to an axis. */
export function tickMetric({ unit }: Unit, value: number, format: Format): string {
  return UNITS[unit].tick(value, format);
}

/** The signed difference of two values of a metric: +20,215; of shares +4.8 %. */
export function metricDifference({ unit }: Unit, difference: number, format: Format): string {
  return UNITS[unit].difference(difference, format);
}

/** A metric, with `≥` before it if it is a lower bound. */
export function atLeast(text: string, band: Band | undefined): string {
  return band?.lowerBound === true ? `≥ ${text}` : text;
}

/** The range of a metric: $3.05–$3.40; `undefined` if both ends are equal. */
export function bandMetric(unit: Unit, band: Band | undefined, format: Format): string | undefined {
  if (band === undefined || band.low === band.high) return undefined;
  return atLeast(`${exactMetric(unit, band.low, format)}–${exactMetric(unit, band.high, format)}`, band);
}
