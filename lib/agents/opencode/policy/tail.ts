import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { ORIGIN } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy/policy";
import { TAIL_LEAST, TAIL_MOST, TAIL_SHARE, TAIL_TURNS } from "../base/constants";
import { tokensOfChars } from "../messages/tokens";
import { CONTINUE_CHARS, isContinue } from "./added";
import { interruptedChars, sentChars } from "./sent-chars";

/**
 * First position of the tail; the end of the history if nothing is kept.
 * @param usable the usable part of the window
 */
export function tailPosition(view: ContextView, end: number, usable: Tokens, config: TailConfig): number {
  const { positions, startsTurn, before } = messagesOf(view, end);
  // A list of messages is measured as one JSON: two brackets around it, and one comma fewer than messages.
  const size = (from: number, to: number) => tokensOfChars((before[to] ?? 0) - (before[from] ?? 0) + 1);
  const start = tailStart(startsTurn, size, tailBudget(usable, config), config);
  return start === undefined ? end : (positions[start] ?? end);
}

/** Messages as opencode has them: a response with its results, or a user message. */
interface Messages {
  readonly positions: readonly number[];
  readonly startsTurn: readonly boolean[];
  /** Length of the JSON that is sent before each message, including commas; it has one entry more than there are messages. */
  readonly before: readonly Chars[];
}

/**
 * The messages of the context up to a position. The question and summary of an earlier compaction do not count, since the summary is passed on
 * separately.
 */
function messagesOf(view: ContextView, end: number): Messages {
  const { origin, message, length } = view.columns;
  const items = view.items.list();
  const [positions, starts, before]: [number[], boolean[], Chars[]] = [[], [], []];
  let last = Number.NaN;
  let chars: Chars = 0;
  const begin = (position: number, isTurn: boolean) => {
    positions.push(position);
    starts.push(isTurn);
    before.push(chars);
  };
  for (let position = 0; position < end; position++) {
    const item = items[position] ?? -1;
    if (item >= length) {
      last = Number.NaN;
      if (!isContinue(view, item)) continue;
      begin(position, true);
      chars += CONTINUE_CHARS;
      continue;
    }
    const own = message[item] ?? Number.NaN;
    const follows = origin[item] === ORIGIN.tool && positions.length > 0;
    if (own !== last && !follows) begin(position, startsTurn(view, item));
    const interrupted = interruptedChars(view.columns, item);
    chars += sentChars(view, item) + (own === last ? 0 : 1) + (interrupted > 0 ? interrupted + 1 : 0);
    last = own;
  }
  before.push(chars);
  return { positions, startsTurn: starts, before };
}

function startsTurn(view: ContextView, item: ItemIndex): boolean {
  const measure = view.columns.measures["opencode.turn"];
  return measure === undefined ? view.columns.origin[item] === ORIGIN.typed : measure[item] === 1;
}

export interface TailConfig {
  readonly turns?: number | undefined;
  readonly tokens?: Tokens | undefined;
}

/** Tokens that the tail may take. The source of all rules in this file is README.md, "Tail". */
export function tailBudget(usable: Tokens, config: TailConfig): Tokens {
  return config.tokens ?? Math.min(TAIL_MOST, Math.max(TAIL_LEAST, Math.floor(usable * TAIL_SHARE)));
}

/**
 * Index of the first message of the tail, which is kept after a summary; `undefined` if nothing is kept. Whole turns are kept, newest first, while
 * they fit; from the first turn that does not fit, the longest end that fits is kept.
 * @param startsTurn true if a turn begins with the message; a message that asks for a compaction begins none
 * @param size tokens of the messages from one index to another
 */
export function tailStart(
  startsTurn: readonly boolean[],
  size: (from: number, to: number) => Tokens,
  budget: Tokens,
  config: TailConfig,
): number | undefined {
  const turns = config.turns ?? TAIL_TURNS;
  if (turns <= 0) return undefined;
  const starts = newestStarts(startsTurn, turns);
  let kept: number | undefined;
  let total = 0;
  for (let turn = starts.length - 1; turn >= 0; turn--) {
    const [start = 0, end = startsTurn.length] = [starts[turn], starts[turn + 1]];
    const tokens = size(start, end);
    if (total + tokens > budget) {
      kept = splitStart(start, end, size, budget - total) ?? kept;
      break;
    }
    total += tokens;
    kept = start;
  }
  return kept === 0 ? undefined : kept;
}

/** The first messages of the newest turns, oldest first. */
function newestStarts(startsTurn: readonly boolean[], turns: number): readonly number[] {
  const starts: number[] = [];
  for (let index = startsTurn.length - 1; index >= 0 && starts.length < turns; index--) {
    if (startsTurn[index] === true) starts.push(index);
  }
  return starts.reverse();
}

/** First index of the longest end of a turn that fits the budget; it is never the whole turn. */
function splitStart(
  start: number,
  end: number,
  size: (from: number, to: number) => Tokens,
  budget: Tokens,
): number | undefined {
  for (let from = start + 1; from < end; from++) if (size(from, end) <= budget) return from;
  return undefined;
}
