import { categoryCode } from "../base/categories";
import type { ItemIndex, RequestIndex, Tokens } from "../base/units";
import { FLAG, KIND, type SessionColumns } from "../columns/columns";
import { NEVER, recordedMembership } from "../columns/membership";
import { pointCount } from "../columns/points";
import type { ContextOverhead } from "../context/context-overhead";
import type { BoundaryCost } from "../cost/boundary-cost";
import type { CacheMisses } from "../cost/cache-misses";
import type { MicroDollars } from "../cost/money";
import type { InputPrices } from "./input-prices";
import type { MeasuredContext } from "./measured-context";
import type { OutputUse } from "./output-use";
import { repeatedContent } from "./repeated-content";
import type { Stays } from "./stays";
import { type DeclaredItem, declaredItems, declaredTools, type RequestRange } from "./unused-tools";

/** Kinds of waste. Source: docs/method.md, "Waste". */
export const WASTE_KINDS = [
  ...(["unused-tools", "read-again", "unused-outputs", "instructions", "images"] as const),
  ...(["idle-misses", "unpaid-compactions"] as const),
] as const;
export type WasteKind = (typeof WASTE_KINDS)[number];

/** Wasted content, or an event that cost money. */
export interface WasteRow {
  /** Name of a tool or file; absent without one. */
  readonly name?: string | undefined;
  /** Its items in the recording; empty if it has none. */
  readonly items: readonly ItemIndex[];
  /** The request of the event, or the first one that sent the content needlessly. */
  readonly request: RequestIndex;
  /** Requests that sent it needlessly. For a file: reads beyond the first. For a compaction: requests before the next one. For a cache miss: 1. */
  readonly count: number;
  /** Number of requests after which a compaction pays for itself; infinite if it never does. Absent for other kinds. */
  readonly breakEven?: number;
  /** Tokens × requests that sent them needlessly; absent for a compaction. */
  readonly tokens?: number | undefined;
  /** Cost of these tokens, or the part of the compaction's cost that was not earned back; absent if unknown. */
  readonly cost?: MicroDollars | undefined;
}

/** A finding: everything of one kind, largest first. */
export interface Waste {
  readonly kind: WasteKind;
  readonly rows: readonly WasteRow[];
  /** Number of things that could have been waste: declared tools, compactions with a known break-even; absent for other kinds. */
  readonly outOf?: number;
}

/** Facts of a session. A kind of waste is not looked for if the facts about it are absent. */
export interface WasteFacts {
  /** The recorded context, with a profile's overhead split off. */
  readonly measured: MeasuredContext;
  /** The declared overhead: the recording's and the profile's. */
  readonly overhead: ContextOverhead;
  readonly prices?: InputPrices | undefined;
  /** The column `CONTENT_MEASURE`. */
  readonly content?: Int32Array | undefined;
  readonly use?: OutputUse | undefined;
  readonly misses?: CacheMisses | undefined;
  readonly compactions?: readonly BoundaryCost[] | undefined;
}

/** Minimum tokens of a file that was read again. Our choice: a notice that the file is unchanged is smaller. */
const MIN_FILE: Tokens = 200;
/** Minimum tokens of an unused output. Our choice. */
export const MIN_OUTPUT: Tokens = 1000;
/** Minimum tokens of a picture. Our choice: a smaller one is only the name of a file that was not kept. */
const MIN_IMAGE: Tokens = 200;
/** Minimum tokens of instructions in a request. Our choice: shortening smaller ones saves too little. */
const MIN_INSTRUCTIONS: Tokens = 1000;
/** Minimum fresh terms of an output. With fewer, it proves nothing that later texts use none of them. Our choice. */
const MIN_FRESH = 20;
/** Minimum requests after the first look at an output or a picture. Our choice: content that stays for one or two requests costs little. */
const MIN_REQUESTS = 3;

const MEMORY = categoryCode("memoryFiles");
const INSTRUCTIONS = new Set(["memoryFiles"] as const);

/**
 * Waste of a recording, by kind, without kinds that have none. Requests that other sessions made do not count. Kinds may overlap (a cache miss sends
 * unused tools as well), so they are never summed. Linear in items and requests.
 */
export function wasteIn(facts: WasteFacts): readonly Waste[] {
  const { measured, overhead, prices, misses, compactions = [] } = facts;
  const { columns } = measured;
  const range = ownRequests(columns);
  if (range === undefined) return [];
  const tools = declaredTools(measured, overhead, range, prices) ?? [];
  const again = readAgain(facts, range);
  const { known, unpaid } = paidCompactions(compactions, columns);
  const found: readonly Waste[] = [
    {
      kind: "unused-tools",
      rows: declaredRows(
        tools.filter(({ isCalled }) => !isCalled),
        range,
      ),
      outOf: tools.length,
    },
    { kind: "read-again", rows: again },
    { kind: "unused-outputs", rows: unusedOutputs(facts, range, new Set(again.flatMap(({ items }) => items))) },
    { kind: "instructions", rows: instructions(facts, range) },
    { kind: "images", rows: keptImages(facts, range) },
    { kind: "idle-misses", rows: idleMisses(misses, columns) },
    { kind: "unpaid-compactions", rows: unpaid, outOf: known },
  ];
  return found.flatMap((one) => (one.rows.length === 0 ? [] : [{ ...one, rows: one.rows.toSorted(byCost) }]));
}

/** The session's own requests; `undefined` without any. */
export function ownRequests({ requests }: Pick<SessionColumns, "requests">): RequestRange | undefined {
  const from = requests.inherited.findIndex((inherited) => inherited !== 1);
  return from < 0 ? undefined : { from, to: requests.length - 1 };
}

function byCost(one: WasteRow, other: WasteRow): number {
  return (other.cost ?? -1) - (one.cost ?? -1) || (other.tokens ?? 0) - (one.tokens ?? 0);
}

function declaredRows(items: readonly DeclaredItem[], { from, to }: RequestRange): readonly WasteRow[] {
  return items.flatMap(({ name, residency, cost }) =>
    residency > 0 ? [{ name, items: [], request: from, count: to + 1 - from, tokens: residency, cost }] : [],
  );
}

/** Repeated reads of a file with equal text, while an earlier read is in the context in full. */
function readAgain({ measured, content, prices }: WasteFacts, { from, to }: RequestRange): readonly WasteRow[] {
  if (content === undefined) return [];
  const { columns } = measured;
  const whole = { ...measured, stays: wholeStays(measured) };
  return repeatedContent(whole, readTexts(columns, content), to, prices, from).flatMap((one) => {
    const { items, each, residency: tokens, cost } = one;
    const second = items[1] ?? 0;
    if (each < MIN_FILE) return [];
    const request = Math.max(from, entryOf(columns, second));
    return [{ name: fileOf(columns, second), items, request, count: items.length - 1, tokens, cost }];
  });
}

/** The stays of items until they are cleared, because a placeholder holds no text. */
function wholeStays({ columns, stays }: MeasuredContext): Stays {
  const { cleared } = recordedMembership(columns);
  return (visit) =>
    stays((item, category, tokens, from, to) => {
      if (from < (cleared[item] ?? NEVER)) visit(item, category, tokens, from, to);
    });
}

/** By row of a result with a file, a number for its text and file; 0 for other rows. */
function readTexts(columns: SessionColumns, content: Int32Array): Int32Array {
  const numbers = new Map<string, number>();
  return content.map((text, row) => {
    const file = columns.file[row] ?? -1;
    if (text === 0 || file < 0 || columns.kind[row] !== KIND.tool_result) return 0;
    const key = `${text} ${file}`;
    const number = numbers.get(key) ?? numbers.size + 1;
    numbers.set(key, number);
    return number;
  });
}

/**
 * Large outputs of commands that are run for their outcome, if no later text names anything in them. The first request with an output is not waste: in
 * it the model read the output. Errors are left out, since they are read.
 * @param taken items that are waste of another kind
 */
function unusedOutputs(
  { measured, use, prices }: WasteFacts,
  range: RequestRange,
  taken: ReadonlySet<ItemIndex>,
): readonly WasteRow[] {
  if (use === undefined) return [];
  const { columns } = measured;
  const isUnused = (row: ItemIndex, size: Tokens) =>
    columns.kind[row] === KIND.tool_result &&
    ((columns.flags[row] ?? 0) & FLAG.ERROR) === 0 &&
    size >= MIN_OUTPUT &&
    (use.fresh[row] ?? 0) >= MIN_FRESH &&
    use.used[row] === 0 &&
    !taken.has(row);
  return keptRows(measured, prices, range, (item, size, from) => (isUnused(item, size) ? from + 1 : undefined));
}

/** Images, as long as requests of later turns still send them. */
function keptImages({ measured, prices }: WasteFacts, range: RequestRange): readonly WasteRow[] {
  const { columns } = measured;
  const { kind, turn, requests } = columns;
  return keptRows(measured, prices, range, (item, size, from) => {
    if (kind[item] !== KIND.image || size < MIN_IMAGE) return undefined;
    let request = from;
    while (request < requests.length && (turn[requests.firstItem[request] ?? -1] ?? 0) <= (turn[item] ?? 0))
      request += 1;
    return request;
  });
}

/**
 * Items that stay in the context without need, each with the requests from `since` until it leaves or shrinks.
 * @param since first request that sends the item without need; `undefined` if none does
 */
function keptRows(
  measured: MeasuredContext,
  prices: InputPrices | undefined,
  range: RequestRange,
  since: (item: ItemIndex, size: Tokens, entered: RequestIndex) => RequestIndex | undefined,
): readonly WasteRow[] {
  const { columns, factorSum } = measured;
  const rows: WasteRow[] = [];
  wholeStays(measured)((item, category, size, entered, left) => {
    const begins = since(item, size, entered);
    const [from, to] = [Math.max(range.from, begins ?? 0), Math.min(left, range.to + 1)];
    if (begins === undefined || to - from < MIN_REQUESTS) return;
    const tokens = size * factorSum(category, from, to);
    const cost = prices?.stay(category, size, from, to, from === entered);
    rows.push({ name: nameOf(columns, item), items: [item], request: from, count: to - from, tokens, cost });
  });
  return rows;
}

/** Instructions files, with all requests that sent them. */
function instructions(facts: WasteFacts, range: RequestRange): readonly WasteRow[] {
  const { measured, overhead, prices } = facts;
  const declared = declaredItems(measured, overhead, INSTRUCTIONS, range, prices) ?? [];
  const rows = declaredRows(declared, range).concat(
    keptRows(measured, prices, range, (item, _size, entered) =>
      item >= measured.columns.overheadRows && measured.columns.category[item] === MEMORY ? entered : undefined,
    ),
  );
  return rows.filter(({ tokens = 0, count }) => tokens >= MIN_INSTRUCTIONS * count);
}

/** Cache misses after pauses longer than the cache TTL. */
function idleMisses(misses: CacheMisses | undefined, { requests }: SessionColumns): readonly WasteRow[] {
  const idle = (misses?.misses ?? []).filter(
    ({ cause, request }) => cause === "idle" && requests.inherited[request] !== 1,
  );
  return idle.map(({ request, tokens, cost }) => ({ items: [], request, count: 1, tokens, cost }));
}

/** Recorded compactions whose break-even is known, and those among them that did not reach it. */
interface PaidCompactions {
  readonly known: number;
  /** Each with the part of its cost (summary call and uncached tokens) that later requests did not earn back. */
  readonly unpaid: readonly WasteRow[];
}

/**
 * Divides compactions into those that paid off and the others. A compaction paid off if its break-even was reached before the next compaction, or the
 * end.
 * @param costs of all recorded compactions, in order
 */
export function paidCompactions(costs: readonly BoundaryCost[], columns: SessionColumns): PaidCompactions {
  const unpaid: WasteRow[] = [];
  let known = 0;
  costs.forEach(({ request, rewriting, call, breakEven }, index) => {
    if (
      columns.requests.inherited[request] === 1 ||
      breakEven === undefined ||
      rewriting === undefined ||
      call === undefined
    )
      return;
    known += 1;
    const count = (costs[index + 1]?.request ?? pointCount(columns)) - request;
    // Every request earns back the same amount.
    const cost = (rewriting + call) * (1 - count / breakEven);
    if (count < breakEven) unpaid.push({ items: [], request, count, breakEven, cost });
  });
  return { known, unpaid };
}

function fileOf({ file, tables }: SessionColumns, row: ItemIndex): string | undefined {
  return tables.files[file[row] ?? -1];
}

/** The file of an item, else its tool. */
function nameOf(columns: SessionColumns, row: ItemIndex): string | undefined {
  return fileOf(columns, row) ?? columns.tables.tools[columns.tool[row] ?? -1];
}

/** The first request that sent a row. */
function entryOf(columns: SessionColumns, row: ItemIndex): RequestIndex {
  return recordedMembership(columns).entered[row] ?? 0;
}
