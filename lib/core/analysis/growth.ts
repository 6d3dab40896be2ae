import type { RequestIndex, Share, Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";

/** Growth of the context over one turn. */
export interface TurnGrowth {
  /** Counted from 0; −1 is everything before the first user message. */
  readonly turn: number;
  readonly firstRequest: RequestIndex;
  readonly lastRequest: RequestIndex;
  /** Context at the last request of the turn less that at the last request before it; below 0 after a compaction. */
  readonly growth: Tokens;
}

/**
 * Growth of every turn that sent a request, in order.
 * @param context context at every request
 */
export function growthByTurn(columns: SessionColumns, context: Int32Array): readonly TurnGrowth[] {
  const turns: TurnGrowth[] = [];
  let before: Tokens = 0;
  for (let request = 0; request < context.length; request++) {
    const turn = turnOfRequest(columns, request);
    const same = turns.at(-1)?.turn === turn ? turns.pop() : undefined;
    if (same === undefined) before = context[request - 1] ?? 0;
    const firstRequest = same?.firstRequest ?? request;
    turns.push({ turn, firstRequest, lastRequest: request, growth: (context[request] ?? 0) - before });
  }
  return turns;
}

/** The turn of a request, which is the turn of its response; −1 before the first user message. */
export function turnOfRequest(columns: SessionColumns, request: RequestIndex): number {
  const row = Math.min(columns.requests.firstItem[request] ?? columns.length, columns.length - 1);
  return columns.turn[row] ?? -1;
}

/** The first time that the window was filled to a given share. */
interface FillPoint {
  readonly share: Share;
  /** First request whose context reached the share; `undefined` if none did. */
  readonly request: RequestIndex | undefined;
  /** The turn of that request, after which the window was this full. */
  readonly turn: number | undefined;
}

/** Shares of the window that are reported. */
const FILL_SHARES: readonly Share[] = [0.5, 0.8, 0.95];

/** For each share of the window, the first request at which the context reached it, and that request's turn. */
export function fillPoints(columns: SessionColumns, context: Int32Array, window: Tokens): readonly FillPoint[] {
  return FILL_SHARES.map((share) => {
    const found = context.findIndex((tokens) => tokens >= window * share);
    return found === -1
      ? { share, request: undefined, turn: undefined }
      : { share, request: found, turn: turnOfRequest(columns, found) };
  });
}

/**
 * The mean growth of the context from one request to the next, over all neighbouring pairs without a boundary (compaction, clearing, rollback)
 * between them. Items that leave between two boundaries count against the growth. `undefined` without such a pair, or if the context does not grow.
 * @param context recorded context at every request
 */
export function growthPerRequest({ boundaries }: SessionColumns, context: Int32Array): Tokens | undefined {
  const changed = new Set(boundaries.request);
  let sum = 0;
  let pairs = 0;
  for (let request = 1; request < context.length; request++) {
    if (changed.has(request)) continue;
    sum += (context[request] ?? 0) - (context[request - 1] ?? 0);
    pairs += 1;
  }
  return sum > 0 ? sum / pairs : undefined;
}
