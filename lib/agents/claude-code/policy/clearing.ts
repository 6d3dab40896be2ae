import type { ItemIndex } from "@/lib/core/base/units";
import { KIND, type SessionColumns } from "@/lib/core/columns/columns";
import { CLEARED_TOKENS } from "@/lib/core/columns/membership";
import type { ContextView, Retention } from "@/lib/core/compaction/policy";

/**
 * Claude Code's micro-compaction by idle time, as users reported it: at a request a number of minutes after the last response, all but the newest
 * results of these tools become placeholders. Source: README.md, "Compaction".
 */
const CLEARABLE_TOOLS = new Set(["read", "bash", "grep", "glob", "webfetch", "websearch", "edit", "write"]);

const MINUTE_MS = 60_000;

/** When old results are cleared. */
export interface PauseRule {
  /** Length of the pause; 0 where nothing is cleared. */
  readonly minutes: number;
  /** How many of the newest results stay. */
  readonly keep: number;
}

/** The results that become placeholders before this request, with their new sizes; none where the rule is off or not due. */
export function clearedAfterPause(view: ContextView, { minutes, keep }: PauseRule): Retention["cleared"] {
  if (minutes <= 0 || view.request === 0 || !(pauseBefore(view) >= minutes * MINUTE_MS)) return NOTHING;
  const { columns, items } = view;
  const old = items.clearable(firstKept(view, keep)).filter((item) => isOfClearable(columns, item));
  return old.map((item) => [item, Math.min(view.tokensOf(item), CLEARED_TOKENS)] as const);
}

const NOTHING: Retention["cleared"] = [];

/** Time between the last response and the newest item that is about to be sent; NaN where either time is not recorded. */
function pauseBefore({ columns, items, request }: ContextView): number {
  const newest = items.length === 0 ? Number.NaN : (columns.at[items.at(items.length - 1)] ?? Number.NaN);
  return newest - (columns.requests.at[request - 1] ?? Number.NaN);
}

/** The oldest of the newest results that stay; the first row where there are no more results than that. */
function firstKept({ columns, items }: ContextView, keep: number): ItemIndex {
  let left = keep;
  for (let position = items.length - 1; position >= 0; position--) {
    const item = items.at(position);
    if (columns.kind[item] === KIND.tool_result && isOfClearable(columns, item) && --left === 0) return item;
  }
  return 0;
}

/** In other agents' recordings, upper and lower case do not matter. */
function isOfClearable({ tool, tables }: SessionColumns, item: ItemIndex): boolean {
  return CLEARABLE_TOOLS.has(tables.tools[tool[item] ?? -1]?.toLowerCase() ?? "");
}
