import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import { KIND } from "../columns/columns";
import type { MicroDollars } from "../cost/money";
import type { InputPrices } from "./input-prices";
import type { MeasuredContext } from "./measured-context";

/** One text sent as several items: a file read twice, a repeated output, a paste. */
export interface RepeatedContent {
  /** Its items that were sent up to the request, in order; at least two. */
  readonly items: readonly ItemIndex[];
  /** Tokens of one copy, by the estimator. */
  readonly each: Tokens;
  /** Number of copies in the context at the request. */
  readonly present: number;
  /** Tokens of the copies beyond the first in the context at the request. */
  readonly tokens: Tokens;
  /** Tokens × requests with more than one copy, from the first request to this one. */
  readonly residency: number;
  /** The cost of those tokens; absent without prices. */
  readonly cost?: MicroDollars;
}

interface Stay {
  readonly item: ItemIndex;
  readonly category: number;
  readonly tokens: Tokens;
  readonly from: RequestIndex;
  readonly to: RequestIndex;
}

/**
 * Texts that were in the context more than once at the same time, largest residency first. Skips calls and thinking: only results and outputs could
 * have been sent once. Linear in the items.
 * @param content the column `CONTENT_MEASURE`
 * @param since the first request that counts
 */
export function repeatedContent(
  measured: MeasuredContext,
  content: Int32Array,
  request: RequestIndex,
  prices?: InputPrices,
  since: RequestIndex = 0,
): readonly RepeatedContent[] {
  const repeats: RepeatedContent[] = [];
  for (const copies of staysByContent(measured, content, request).values()) {
    const items = [...new Set(copies.map(({ item }) => item))];
    if (items.length < 2) continue;
    const weight = ({ category, tokens }: Stay, from: RequestIndex, to: RequestIndex) =>
      tokens * measured.factorSum(category, from, Math.min(to, request + 1));
    const priced = ({ from: entry, category, tokens }: Stay, from: RequestIndex, to: RequestIndex) =>
      prices?.stay(category, tokens, from, Math.min(to, request + 1), from === entry) ?? 0;
    const residency = overlapWeight(copies, weight, since);
    const now = copies.filter(({ to }) => to > request).map((stay) => weight(stay, request, request + 1));
    if (residency <= 0) continue;
    const each = Math.max(...copies.map(({ tokens }) => tokens));
    const tokens = Math.round(now.reduce((sum, one) => sum + one, 0) - Math.max(0, ...now));
    const cost = prices && overlapWeight(copies, priced, since);
    repeats.push({ items, each, present: now.length, tokens, residency, ...(cost === undefined ? {} : { cost }) });
  }
  return repeats.sort((a, b) => b.residency - a.residency);
}

function staysByContent(
  { columns, stays }: MeasuredContext,
  content: Int32Array,
  request: RequestIndex,
): ReadonlyMap<number, readonly Stay[]> {
  const counts = new Int32Array(columns.length + 1);
  for (const id of content) counts[id] = (counts[id] ?? 0) + 1;
  const byContent = new Map<number, Stay[]>();
  stays((item, category, tokens, from, to) => {
    const id = content[item] ?? 0;
    const kind = columns.kind[item];
    if (id === 0 || (counts[id] ?? 0) < 2 || from > request || kind === KIND.tool_call || kind === KIND.thinking)
      return;
    const stay = { item, category, tokens, from, to };
    const known = byContent.get(id);
    if (known === undefined) byContent.set(id, [stay]);
    else known.push(stay);
  });
  return byContent;
}

/** Weight of the requests in which copies overlap: a copy counts while another one is present. */
function overlapWeight(
  copies: readonly Stay[],
  weight: (stay: Stay, from: RequestIndex, to: RequestIndex) => number,
  since: RequestIndex,
): number {
  let covered = -1;
  let sum = 0;
  for (const stay of [...copies].sort((a, b) => a.from - b.from || a.item - b.item)) {
    const [from, to] = [Math.max(stay.from, since), Math.min(stay.to, covered)];
    if (from < to) sum += weight(stay, from, to);
    covered = Math.max(covered, stay.to);
  }
  return sum;
}
