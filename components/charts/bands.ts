import { ITEM_CATEGORIES, type ItemCategoryId } from "@/lib/core/base/categories";

/** Fill of a band: a plain colour, or a colour with a pattern over it if several bands share the colour. */
export type BandFill = "solid" | "hatched" | "dotted" | "outline";

/**
 * One band of the stacked chart, drawn for one or more categories. Overhead has several hues; messages have one hue in five
 * steps. The order is the stacking order, bottom first, and never changes.
 */
export interface Band {
  readonly id: BandId;
  readonly colour: string;
  readonly fill: BandFill;
  readonly categories: readonly ItemCategoryId[];
}

export type BandId =
  | "system"
  | "builtin"
  | "mcp"
  | "skills"
  | "memory"
  | "inferred"
  | "summaries"
  | "user"
  | "assistant"
  | "calls"
  | "results"
  | "other"
  | "unattributed";

export const BANDS: readonly Band[] = [
  { id: "system", colour: "var(--c-system)", fill: "solid", categories: ["systemPrompt", "startupContext"] },
  { id: "builtin", colour: "var(--c-builtin)", fill: "solid", categories: ["builtinTools", "deferredTools"] },
  { id: "mcp", colour: "var(--c-mcp)", fill: "solid", categories: ["mcpTools"] },
  { id: "skills", colour: "var(--c-skills)", fill: "solid", categories: ["skills", "slashCommands", "customAgents"] },
  { id: "memory", colour: "var(--c-memory)", fill: "solid", categories: ["memoryFiles"] },
  { id: "inferred", colour: "var(--hatch)", fill: "hatched", categories: ["overheadInferred"] },
  { id: "summaries", colour: "var(--c-summary)", fill: "solid", categories: ["summaries"] },
  { id: "user", colour: "var(--c-user)", fill: "solid", categories: ["user"] },
  { id: "assistant", colour: "var(--c-assistant)", fill: "solid", categories: ["assistant", "thinking"] },
  { id: "calls", colour: "var(--c-calls)", fill: "solid", categories: ["toolCalls"] },
  { id: "results", colour: "var(--c-results)", fill: "solid", categories: ["toolResults"] },
  { id: "other", colour: "var(--c-calls)", fill: "dotted", categories: ["attachments", "other"] },
  { id: "unattributed", colour: "var(--line2)", fill: "hatched", categories: [] },
];

const bandByCategory = new Map<string, Band>(
  BANDS.flatMap((band) =>
    [band.id === "unattributed" ? band.id : [], ...band.categories].flat().map((id) => [id, band]),
  ),
);

/** The band that draws a category, `unattributed` included; `undefined` for free space and the buffer, which are not context. */
export function bandOfCategory(category: string): Band | undefined {
  return bandByCategory.get(category);
}

/** Context by category at every request, as the core provides it: `byCategory` is indexed by category code. */
export interface CategorySeries {
  readonly byCategory: readonly Int32Array[];
  readonly unattributed?: Int32Array;
}

/** A band with its size at every request. */
export interface BandSeries {
  readonly band: Band;
  readonly values: Int32Array;
}

/** The bands with tokens at any request of the session, in stacking order. */
export function bandSeries(series: CategorySeries, requests: number): readonly BandSeries[] {
  const found: BandSeries[] = [];
  for (const band of BANDS) {
    const values = bandValues(series, band, requests);
    if (values.some((value) => value !== 0)) found.push({ band, values });
  }
  return found;
}

/** A band's size at every request: the sum of its categories. */
function bandValues(series: CategorySeries, band: Band, requests: number): Int32Array {
  const sum = new Int32Array(requests);
  const parts = band.id === "unattributed" ? [series.unattributed] : band.categories.map((id) => columnOf(series, id));
  for (const part of parts) {
    if (part === undefined) continue;
    for (let request = 0; request < requests; request += 1) sum[request] = (sum[request] ?? 0) + (part[request] ?? 0);
  }
  return sum;
}

function columnOf(series: CategorySeries, id: ItemCategoryId): Int32Array | undefined {
  return series.byCategory[ITEM_CATEGORIES.indexOf(id)];
}
