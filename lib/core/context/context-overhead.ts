import { categoryCode, OVERHEAD_CATEGORIES, type OverheadCategoryId } from "../base/categories";
import type { RequestIndex, Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import type { CountedColumns } from "../columns/counted";
import { apportion } from "../tokens/item-estimator";
import type { ContextSeries } from "./series";

/**
 * Overhead: content sent with every request besides the messages, by category. It comes from the file if recorded there, else from a context profile.
 * The rest of the inferred overhead stays inferred. Source: docs/method.md, "The overhead that is not in the file".
 */
export interface ContextOverhead {
  readonly categories: readonly OverheadCategory[];
  /** All tool declarations counted as one text, for agents whose own rule does so; otherwise at least the sum of the tools. */
  readonly declaredTokens?: Tokens;
}

export interface OverheadCategory {
  readonly id: Exclude<OverheadCategoryId, "overheadInferred">;
  readonly tokens: Tokens;
  /** The items need not sum to the category: the introduction of a list belongs to none of its items. */
  readonly items: readonly NamedTokens[];
}

export interface NamedTokens {
  readonly name: string;
  readonly tokens: Tokens;
}

export const NO_OVERHEAD: ContextOverhead = { categories: [] };

/** Sum of all categories' tokens. */
export function overheadTokens({ categories }: ContextOverhead): Tokens {
  return categories.reduce((sum, category) => sum + category.tokens, 0);
}

/** Overhead that the file records, with the names of its items. */
export function recordedOverhead({ columns, tokens }: CountedColumns): ContextOverhead {
  const items = new Map<number, NamedTokens[]>();
  for (let row = 0; row < columns.overheadRows - 1; row++) {
    const code = columns.category[row] ?? 0;
    const item = { name: columns.tables.overhead[row] ?? "", tokens: tokens[row] ?? 0 };
    const known = items.get(code);
    if (known === undefined) items.set(code, [item]);
    else known.push(item);
  }
  return { categories: [...items].flatMap(([code, list]) => categoryOf(OVERHEAD_CATEGORIES[code], list)) };
}

function categoryOf(id: OverheadCategoryId | undefined, items: readonly NamedTokens[]): OverheadCategory[] {
  if (id === undefined || id === "overheadInferred") return [];
  return [{ id, tokens: items.reduce((sum, item) => sum + item.tokens, 0), items }];
}

/** Removes the categories that the file itself records, since the recording takes precedence. */
export function withoutRecorded(given: ContextOverhead, columns: SessionColumns): ContextOverhead {
  const recorded = new Set(columns.category.subarray(0, Math.max(0, columns.overheadRows - 1)));
  return { ...given, categories: given.categories.filter(({ id }) => !recorded.has(categoryCode(id))) };
}

/**
 * Adds a profile's overhead to the token column. The row of the inferred overhead gets the profile's sum, or keeps its inferred size if that is
 * larger.
 */
export function withOverhead({ columns, tokens }: CountedColumns, given: ContextOverhead): Int32Array {
  const row = columns.overheadRows - 1;
  const sum = overheadTokens(given);
  if (sum <= (tokens[row] ?? 0)) return tokens;
  const column = Int32Array.from(tokens);
  column[row] = sum;
  return column;
}

/**
 * Splits the inferred overhead of a series into a profile's categories; the unexplained rest stays inferred. Sums do not change. Costs one pass over
 * the points.
 */
export function splitOverhead<Series extends ContextSeries>(series: Series, given: ContextOverhead): Series {
  const wanted = given.categories.filter(({ tokens }) => tokens > 0);
  if (wanted.length === 0) return series;
  const inferredCode = categoryCode("overheadInferred");
  const codes = wanted.map(({ id }) => categoryCode(id));
  const sizes = wanted.map(({ tokens }) => tokens);
  const sum = overheadTokens(given);
  const byCategory = series.byCategory.map((column, code) =>
    code === inferredCode || codes.includes(code) ? Int32Array.from(column) : column,
  );
  const inferred = byCategory[inferredCode] ?? new Int32Array(0);
  for (let point = 0; point < inferred.length; point++) {
    const known = inferred[point] ?? 0;
    // A profile's overhead above the recorded one is reduced in proportion.
    const parts = known >= sum ? sizes : apportion(known, sizes);
    parts.forEach((tokens, index) => add(byCategory[codes[index] ?? -1], point, tokens));
    inferred[point] = Math.max(0, known - sum);
  }
  return { ...series, byCategory };
}

function add(column: Int32Array | undefined, point: RequestIndex, tokens: Tokens): void {
  if (column !== undefined) column[point] = (column[point] ?? 0) + tokens;
}

/** Items of a category, largest first. If the category is reduced to `tokens`, they are reduced in proportion. */
export function itemsWithin(category: OverheadCategory | undefined, tokens: Tokens): readonly NamedTokens[] {
  if (category === undefined) return [];
  const scale = tokens < category.tokens ? tokens / category.tokens : 1;
  const items =
    scale < 1 ? category.items.map((item) => ({ ...item, tokens: Math.round(item.tokens * scale) })) : category.items;
  return items.toSorted((a, b) => b.tokens - a.tokens);
}
