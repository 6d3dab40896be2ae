import type { Format } from "@/components/format/format";
import type { Metric } from "@/lib/core/metrics/difference";

/** How a figure is written, and how its difference to the base. */
type Style = "count" | "sum" | "requests";

const STYLES: Readonly<Record<Metric, Style>> = {
  compactions: "count",
  peak: "count",
  tokensSent: "sum",
  tokensRewritten: "sum",
  summaryCallTokens: "sum",
  keptTokens: "count",
  requestsNearWindow: "requests",
  requestsOverWindow: "requests",
  shortestCycle: "requests",
};

/** A figure as the table writes it. `null` stands for absent. */
export interface FigureText {
  readonly value: string | null;
  /** Exact value where `value` is shortened. */
  readonly exact?: string;
  /** Difference to the base; `null` where one of both is absent. */
  readonly change: string | null;
}

/** Writes a figure and its difference to the base's. @param requests writes a number of requests */
export function figureText(
  metric: Metric,
  value: number | null,
  base: number | null,
  format: Format,
  requests: (count: string) => string,
): FigureText {
  const style = STYLES[metric];
  if (value === null) return { value: null, change: null };
  const change = base === null ? null : changeText(style, value, base, format);
  if (style === "sum") return { value: format.sum(value), exact: format.count(value), change };
  const written = format.count(value);
  return { value: style === "requests" ? requests(written) : written, change };
}

/** Sums are compared as a share, everything else by its difference. */
function changeText(style: Style, value: number, base: number, format: Format): string | null {
  if (style !== "sum") return format.difference(value - base);
  if (value === base) return "±0";
  if (base === 0) return null;
  return format.change((value - base) / base, 1);
}
