import type { Tokens } from "@/lib/core/base/units";
import { TAIL_LEAST, TAIL_MOST, TAIL_SHARE, TAIL_TURNS } from "../base/constants";

export interface TailConfig {
  readonly turns?: number | undefined;
  readonly tokens?: Tokens | undefined;
}

/** Tokens that the tail may take. The source of all rules in this file is README.md, "Tail". */
export function tailBudget(usable: Tokens, config: TailConfig): Tokens {
  return config.tokens ?? Math.min(TAIL_MOST, Math.max(TAIL_LEAST, Math.floor(usable * TAIL_SHARE)));
}

/**
 * Index of the first message of the tail, which stays after a summary; `undefined` where nothing stays. Whole turns stay, newest first, while
 * they fit; of the first turn that does not fit, as much of its end stays as fits.
 * @param startsTurn whether a turn begins with the message; a message that asks for a compaction begins none
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

/** Index at which the longest end of a turn begins that fits the budget; it is never the whole turn. */
function splitStart(
  start: number,
  end: number,
  size: (from: number, to: number) => Tokens,
  budget: Tokens,
): number | undefined {
  for (let from = start + 1; from < end; from++) if (size(from, end) <= budget) return from;
  return undefined;
}
