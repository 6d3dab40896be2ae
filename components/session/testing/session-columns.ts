import { categoryCode, type ItemCategoryId } from "@/lib/core/base/categories";
import { COLUMNS_VERSION, FLAG, KINDS, ORIGINS, type SessionColumns } from "@/lib/core/columns/columns";

/** Columns that a test sets; all others are empty. */
export interface DrawnSession {
  readonly overheadRows?: number;
  readonly categories: readonly ItemCategoryId[];
  readonly origins?: readonly (typeof ORIGINS)[number][];
  readonly kinds?: readonly (typeof KINDS)[number][];
  /** First item of every response. */
  readonly firstItems?: readonly number[];
  readonly failed?: readonly number[];
  readonly masked?: readonly number[];
  readonly tools?: readonly string[];
}

/** Columns for tests of view models: one row per category. */
export function sessionColumns(drawn: DrawnSession): SessionColumns {
  const length = drawn.categories.length;
  const requests = drawn.firstItems?.length ?? 0;
  const none = (count: number): Int32Array => new Int32Array(count).fill(-1);
  const marked = (item: number, flag: number, items: readonly number[] = []) => (items.includes(item) ? flag : 0);
  const empty = { offset: new Int32Array(1), value: new Int32Array(0) };
  return {
    version: COLUMNS_VERSION,
    length,
    overheadRows: drawn.overheadRows ?? 0,
    tokens: {},
    measures: {},
    bytes: new Int32Array(length),
    chars: new Int32Array(length),
    category: Uint8Array.from(drawn.categories, categoryCode),
    kind: Uint8Array.from(drawn.categories, (_, item) => KINDS.indexOf(drawn.kinds?.[item] ?? "text")),
    role: new Uint8Array(length),
    origin: Uint8Array.from(drawn.categories, (_, item) => ORIGINS.indexOf(drawn.origins?.[item] ?? "typed")),
    flags: Uint8Array.from(
      drawn.categories,
      (_, item) => marked(item, FLAG.ERROR, drawn.failed) | marked(item, FLAG.ESTIMATED, drawn.masked),
    ),
    message: none(length),
    turn: none(length),
    pair: none(length),
    tool: Int32Array.from(drawn.categories, (_, item) => (drawn.tools?.[item] === undefined ? -1 : item)),
    file: none(length),
    line: none(length),
    at: new Float64Array(length).fill(Number.NaN),
    requests: {
      length: requests,
      firstItem: Int32Array.from(drawn.firstItems ?? []),
      input: none(requests),
      cacheRead: none(requests),
      cacheWrite: none(requests),
      cacheWrite1h: none(requests),
      output: none(requests),
      reasoning: none(requests),
      webSearches: none(requests),
      terms: none(requests),
      ownCost: new Float64Array(requests).fill(Number.NaN),
      billedAt: new Float64Array(requests).fill(Number.NaN),
      at: new Float64Array(requests).fill(Number.NaN),
      model: none(requests),
      line: none(requests),
      inherited: new Uint8Array(requests),
      response: new Float64Array(requests).fill(Number.NaN),
      partial: new Uint8Array(requests),
    },
    extra: {
      length: 0,
      firstItem: none(0),
      input: none(0),
      cacheRead: none(0),
      cacheWrite: none(0),
      cacheWrite1h: none(0),
      output: none(0),
      reasoning: none(0),
      webSearches: none(0),
      terms: none(0),
      ownCost: new Float64Array(0).fill(Number.NaN),
      billedAt: new Float64Array(0).fill(Number.NaN),
      at: new Float64Array(0).fill(Number.NaN),
      model: none(0),
      line: none(0),
      inherited: new Uint8Array(0),
      response: new Float64Array(0),
      kind: new Uint8Array(0),
      point: none(0),
      boundary: none(0),
      furtherPass: new Uint8Array(0),
      partial: new Uint8Array(0),
    },
    boundaries: {
      length: 0,
      item: none(0),
      request: none(0),
      line: none(0),
      kind: new Uint8Array(0),
      trigger: new Uint8Array(0),
      tokensBefore: none(0),
      tokensAfter: none(0),
      kept: empty,
      cleared: empty,
    },
    tables: { tools: drawn.tools ?? [], files: [], models: [], terms: [], overhead: [] },
  };
}
