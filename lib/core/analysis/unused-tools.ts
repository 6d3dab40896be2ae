import { categoryCode } from "../base/categories";
import type { RequestIndex, Tokens } from "../base/units";
import { KIND, type SessionColumns } from "../columns/columns";
import type { Source } from "../compaction/policy/settings";
import type { ContextOverhead, OverheadCategory } from "../context/context-overhead";
import type { MicroDollars } from "../cost/money";
import type { InputPrices } from "./input-prices";
import type { MeasuredContext } from "./measured-context";

/** A command, or the text of a settings file, that turns off the MCP server `<server>`. */
export interface ServerOff {
  readonly text: string;
  /** Absent for a command. */
  readonly file?: string;
  readonly source: Source;
}

/** An item of the overhead, such as a tool's declaration, with its size and cost over some requests. */
export interface DeclaredItem {
  readonly name: string;
  /** Its tokens in the context at the last of these requests. */
  readonly tokens: Tokens;
  /** Tokens × requests in which it was sent. */
  readonly residency: number;
  /** Absent if unknown. */
  readonly cost?: MicroDollars | undefined;
}

interface DeclaredTool extends DeclaredItem {
  /** True if the session calls it, at any request. */
  readonly isCalled: boolean;
}

/** The requests [from, to]. */
export interface RequestRange {
  readonly from: RequestIndex;
  readonly to: RequestIndex;
}

/** Overhead categories whose items are declarations of tools. */
const DECLARING: ReadonlySet<OverheadCategory["id"]> = new Set(["builtinTools", "mcpTools", "deferredTools"]);

/**
 * Declared tools, largest first; `undefined` if neither the recording nor a context profile lists the model's tools.
 * @param overhead the declared overhead: the recording's and the profile's
 * @param measured with a profile's overhead split off
 */
export function declaredTools(
  measured: MeasuredContext,
  overhead: ContextOverhead,
  range: RequestRange,
  prices?: InputPrices,
): readonly DeclaredTool[] | undefined {
  const declared = declaredItems(measured, overhead, DECLARING, range, prices);
  // A context profile names a tool of an MCP server without the prefix that calls have.
  const called = calledTools(measured.columns);
  return declared
    ?.map((one) => ({ ...one, isCalled: called.has(one.name) || called.has(`mcp__${one.name}`) }))
    .sort((a, b) => b.tokens - a.tokens);
}

/** The declared tools that the session never calls. The parameters are those of `declaredTools`. */
export function unusedTools(
  ...args: Parameters<typeof declaredTools>
): readonly Omit<DeclaredTool, "isCalled">[] | undefined {
  return declaredTools(...args)?.flatMap(({ isCalled, ...tool }) => (isCalled ? [] : [tool]));
}

/**
 * Items of some categories of the overhead; `undefined` if none of these categories is known. The file's own items have rows. A profile's category
 * has none, so its items share the category's tokens.
 */
export function declaredItems(
  measured: MeasuredContext,
  { categories }: ContextOverhead,
  ids: ReadonlySet<OverheadCategory["id"]>,
  { from, to }: RequestRange,
  prices?: InputPrices,
): readonly DeclaredItem[] | undefined {
  const { columns, factor, factorSum, withoutItems } = measured;
  const wanted = categories.filter(({ id }) => ids.has(id));
  if (wanted.length === 0) return undefined;
  const recorded = new Set(columns.category.subarray(0, Math.max(0, columns.overheadRows - 1)));
  return wanted.flatMap(({ id, tokens: all, items }) => {
    const code = categoryCode(id);
    return items.map(({ name, tokens }): DeclaredItem => {
      if (recorded.has(code)) {
        const cost = prices?.stay(code, tokens, from, to + 1, from === 0);
        return {
          name,
          tokens: Math.round(tokens * factor(code, to)),
          residency: tokens * factorSum(code, from, to + 1),
          cost,
        };
      }
      const share = all > 0 ? tokens / all : 0;
      return {
        name,
        tokens: Math.round(share * withoutItems(code, to, to + 1)),
        residency: share * withoutItems(code, from, to + 1),
        cost: prices && share * prices.withoutItems(code, from, to + 1),
      };
    });
  });
}

/** The MCP server of a tool, with or without the prefix `mcp__`; `undefined` for a tool of the agent itself. */
export function mcpServerOf(tool: string): string | undefined {
  return (mcpNames(tool) ?? mcpNames(`mcp__${tool}`))?.server;
}

/** The parts of a called MCP tool's name, `mcp__server__tool`. */
export function mcpNames(name: string): { readonly server: string; readonly tool: string } | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? [];
  return server === undefined || tool === undefined ? undefined : { server, tool };
}

/** Names of the tools that the session calls. */
export function calledTools(columns: SessionColumns): ReadonlySet<string> {
  const called = new Set<number>();
  for (let row = columns.overheadRows; row < columns.length; row++) {
    if (columns.kind[row] === KIND.tool_call) called.add(columns.tool[row] ?? -1);
  }
  return new Set([...called].flatMap((tool) => columns.tables.tools[tool] ?? []));
}
