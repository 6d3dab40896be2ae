import { categoryCode } from "../base/categories";
import type { RequestIndex, Tokens } from "../base/units";
import { KIND, type SessionColumns } from "../columns/columns";
import type { ContextOverhead, OverheadCategory } from "../context/context-overhead";
import type { ContextSeries } from "../context/series";

/** A tool that is declared but never called. */
interface UnusedTool {
  readonly tool: string;
  /** Tokens of its declaration in the context at the request. */
  readonly tokens: Tokens;
  /** Tokens × requests in which the declaration was sent, from the first request to this one. */
  readonly residency: number;
}

/** Overhead categories whose items are declarations of tools. */
export const DECLARING: ReadonlySet<OverheadCategory["id"]> = new Set(["builtinTools", "mcpTools", "deferredTools"]);

/**
 * Declared tools that the whole session never calls, largest first; `undefined` if neither the recording nor a context profile lists the model's
 * tools.
 * @param overhead the declared overhead: the recording's and the profile's
 * @param series with a profile's overhead split off
 */
export function unusedTools(
  columns: SessionColumns,
  overhead: ContextOverhead,
  series: ContextSeries,
  request: RequestIndex,
): readonly UnusedTool[] | undefined {
  const declaring = overhead.categories.filter(({ id }) => DECLARING.has(id));
  if (declaring.length === 0) return undefined;
  const called = calledTools(columns);
  const unused = declaring.flatMap((category) => {
    const { now, sum } = sharesSent(category, series, request);
    return category.items
      .filter(({ name }) => !called.has(name))
      .map(({ name, tokens }) => ({ tool: name, tokens: Math.round(tokens * now), residency: tokens * sum }));
  });
  return unused.sort((a, b) => b.tokens - a.tokens);
}

/** Names of the tools that the session calls. */
export function calledTools(columns: SessionColumns): ReadonlySet<string> {
  const called = new Set<number>();
  for (let row = columns.overheadRows; row < columns.length; row++) {
    if (columns.kind[row] === KIND.tool_call) called.add(columns.tool[row] ?? -1);
  }
  return new Set([...called].flatMap((tool) => columns.tables.tools[tool] ?? []));
}

/** Part of a category in the context at the request, and summed over the requests up to it: 1 is all of it. */
function sharesSent(category: OverheadCategory, series: ContextSeries, request: RequestIndex) {
  const column = series.byCategory[categoryCode(category.id)];
  const shareAt = (point: RequestIndex) => (category.tokens > 0 ? (column?.[point] ?? 0) / category.tokens : 0);
  let sum = 0;
  for (let point = 0; point <= request; point++) sum += shareAt(point);
  return { now: shareAt(request), sum };
}
