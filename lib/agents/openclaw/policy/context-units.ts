import type { ItemIndex, Tokens } from "@/lib/core/base/units";
import { FLAG, KIND, ORIGIN, type SessionColumns } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy/policy";
import { CUT, isResponse } from "../base/constants";
import type { ItemsView } from "./pairing";
import type { PlannedMessage } from "./planned-messages";
import { type Range, UnitSums } from "./unit-sums";

const CALL = KIND.tool_call;

/** The last row of the recording before a position; −1 if there is none. */
export function lastRecorded(view: ContextView, before: number): ItemIndex {
  for (let position = before - 1; position >= 0; position--) {
    const item = view.items.at(position);
    if (item < view.columns.length) return item;
  }
  return -1;
}

/** Kind of message that begins at an item: as measured, else by its message's origin. A summary is not a user message. */
export function cutOf(view: ItemsView, item: ItemIndex): number {
  if (item >= view.columns.length) return view.synthetic(item)?.kind === "summary" ? CUT.MESSAGE : CUT.TURN;
  return cutsOf(view.columns)[item] ?? CUT.INSIDE;
}

const guessed = new WeakMap<SessionColumns["flags"], Uint8Array>();

/** Kinds for every row, looked up once for walks over many rows. */
export function cutsOf(columns: SessionColumns): Int32Array | Uint8Array {
  const known = columns.measures["openclaw.cut"] ?? guessed.get(columns.flags);
  if (known !== undefined) return known;
  const cuts = columns.flags.map((_, row) => cutByOrigin(columns, row));
  guessed.set(columns.flags, cuts);
  return cuts;
}

function cutByOrigin(columns: SessionColumns, row: ItemIndex): number {
  if (((columns.flags[row] ?? 0) & FLAG.MESSAGE_START) === 0) return CUT.INSIDE;
  switch (columns.origin[row]) {
    case ORIGIN.typed:
      return CUT.TURN;
    case ORIGIN.response:
      return CUT.RESPONSE;
    case ORIGIN.tool:
      return CUT.RESULT;
    default:
      return CUT.ENTRY;
  }
}

/**
 * Position of the message at which the newest messages of a range reach a budget by OpenClaw's own count; −1 if they never do.
 * @param counts true if a message with this `CUT` counts
 */
export function reachedAt(view: ItemsView, { from, to }: Range, budget: Tokens, counts: (cut: number) => boolean) {
  const items = view.items.list();
  const cuts = cutsOf(view.columns);
  let [sum, tokens] = [0, 0];
  for (let position = to - 1; position >= from; position--) {
    const item = items[position] ?? -1;
    const cut = cuts[item] ?? cutOf(view, item);
    tokens += view.countOf(item);
    if (cut === CUT.INSIDE && position > from) continue;
    if (counts(cut)) {
      sum += tokens;
      if (sum >= budget) return position;
    }
    tokens = 0;
  }
  return -1;
}

/**
 * First position of the entries that end a range; the range's end if it ends with another message.
 * @param compacted the last rows before earlier compactions; no entries are taken from before them
 */
export function entriesFrom(view: ItemsView, { from, to }: Range, compacted: readonly ItemIndex[] = []): number {
  const cuts = cutsOf(view.columns);
  let first = to;
  for (let position = to - 1; position >= from; position--) {
    const item = view.items.at(position);
    const next = position + 1 < view.items.length ? view.items.at(position + 1) : Number.POSITIVE_INFINITY;
    if (compacted.some((row) => item <= row && row < next)) break;
    const cut = cuts[item] ?? cutOf(view, item);
    if (cut === CUT.INSIDE && position > from) continue;
    if (!isEntry(cut)) break;
    first = position;
  }
  return first;
}

export function isEntry(cut: number): boolean {
  return cut === CUT.ENTRY || cut === CUT.CARRIER;
}

/** Sizes of the messages of a range, oldest first. */
export function unitSizes(view: ItemsView, range: Range): Tokens[] {
  const sums = runningSums(view, range);
  return sums.slice(1).map((sum, at) => sum - (sums[at] ?? 0));
}

/** A message whose last items have not arrived yet. */
interface OpenMessage extends PlannedMessage {
  tokens: Tokens;
  readonly calls?: ItemIndex[];
}

/** The messages of a range, with their calls and answers. */
export function plannedMessages(view: ItemsView, { from, to }: Range): readonly PlannedMessage[] {
  const { kind, pair } = view.columns;
  const cuts = cutsOf(view.columns);
  const messages: OpenMessage[] = [];
  for (let position = from; position < to; position++) {
    const item = view.items.at(position);
    const cut = cuts[item] ?? cutOf(view, item);
    const current = cut === CUT.INSIDE ? messages.at(-1) : undefined;
    const message: OpenMessage = current ?? {
      tokens: 0,
      ...(isResponse(cut) ? { calls: [], isFailed: cut === CUT.FAILED } : {}),
      ...(cut === CUT.RESULT ? { answers: pair[item] ?? -1 } : {}),
    };
    if (current === undefined) messages.push(message);
    message.tokens += view.tokensOf(item);
    if (kind[item] === CALL) message.calls?.push(item);
  }
  return messages;
}

/**
 * The sizes as running sums.
 * @param grouped true if messages that are never separated count as one unit
 */
export function unitSums(view: ItemsView, range: Range, grouped: boolean): UnitSums {
  return grouped ? groupSums(view, range) : new UnitSums(runningSums(view, range));
}

/** Sums over groups, without a list for each group: a plan covers everything that is summarised. */
function groupSums(view: ItemsView, { from, to }: Range): UnitSums {
  const items = view.items.list();
  const cuts = cutsOf(view.columns);
  const open = new OpenCalls(view.columns);
  const sums: Tokens[] = [0];
  const counts = [0];
  let [sum, count] = [0, 0];
  for (let position = from; position < to; position++) {
    const item = items[position] ?? -1;
    const cut = cuts[item] ?? cutOf(view, item);
    const starts = position === from || cut !== CUT.INSIDE;
    if (starts && position > from && open.areAnswered) {
      sums.push(sum);
      counts.push(count);
    }
    if (starts) count += 1;
    sum += view.tokensOf(item);
    open.pass(item, cut);
  }
  if (to > from) {
    sums.push(sum);
    counts.push(count);
  }
  return new UnitSums(sums, counts);
}

function runningSums(view: ItemsView, { from, to }: Range): Tokens[] {
  const items = view.items.list();
  const cuts = cutsOf(view.columns);
  const sums: Tokens[] = [0];
  let sum = 0;
  for (let position = from; position < to; position++) {
    const item = items[position] ?? -1;
    if (position > from && (cuts[item] ?? cutOf(view, item)) !== CUT.INSIDE) sums.push(sum);
    sum += view.tokensOf(item);
  }
  if (to > from) sums.push(sum);
  return sums;
}

/** The unanswered calls of the last response: messages before their results are never separated from them. Source: README.md, "Summaries". */
class OpenCalls {
  readonly #columns: SessionColumns;
  readonly #open = new Set<ItemIndex>();
  /** True if the last response failed. */
  #isFailed = false;

  constructor(columns: SessionColumns) {
    this.#columns = columns;
  }

  get areAnswered(): boolean {
    return this.#open.size === 0;
  }

  pass(item: ItemIndex, cut: number): void {
    const { kind, pair } = this.#columns;
    if (isResponse(cut)) {
      this.#open.clear();
      this.#isFailed = cut === CUT.FAILED;
    }
    if (kind[item] === CALL) {
      if (!this.#isFailed) this.#open.add(item);
    } else if (cut === CUT.RESULT && this.#open.size > 0) {
      const call = pair[item] ?? -1;
      // A result without an id answers them all.
      if (call < 0) this.#open.clear();
      this.#open.delete(call);
    }
  }
}

/** True if a run begins with this request: a message that starts a turn comes after the last response. */
export function isRunStart(view: ContextView): boolean {
  if (view.turnStart) return true;
  for (let position = view.items.length - 1; position >= 0; position--) {
    const item = view.items.at(position);
    if (isOfRun(view, item)) return false;
    if (cutOf(view, item) === CUT.TURN) return true;
  }
  return false;
}

/** Position after the last response and the results that answer it. */
export function runEnd(view: ContextView): number {
  let position = view.items.length;
  while (position > 0 && !isOfRun(view, view.items.at(position - 1))) position -= 1;
  return position;
}

function isOfRun(view: ContextView, item: ItemIndex): boolean {
  if (item >= view.columns.length) return true;
  const origin = view.columns.origin[item];
  return origin === ORIGIN.response || origin === ORIGIN.tool;
}
