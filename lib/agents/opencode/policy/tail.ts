import type { Chars, ItemIndex, Tokens } from "@/lib/core/base/units";
import { ORIGIN } from "@/lib/core/columns/columns";
import type { ContextView } from "@/lib/core/compaction/policy/policy";
import { tokensOfChars } from "../messages/tokens";
import { CONTINUE_CHARS, isContinue } from "./added";
import { type TailConfig, tailBudget, tailStart } from "./select-tail";
import { interruptedChars, sentChars } from "./sent-chars";

/**
 * First position of the tail; the end of the history where nothing stays.
 * @param usable the usable part of the window
 */
export function tailPosition(view: ContextView, end: number, usable: Tokens, config: TailConfig): number {
  const { positions, startsTurn, before } = messagesOf(view, end);
  // A list of messages is measured as one JSON: two brackets around it, and one comma fewer than messages.
  const size = (from: number, to: number) => tokensOfChars((before[to] ?? 0) - (before[from] ?? 0) + 1);
  const start = tailStart(startsTurn, size, tailBudget(usable, config), config);
  return start === undefined ? end : (positions[start] ?? end);
}

/** Messages as opencode has them: a response with its results, or what a person wrote. */
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
