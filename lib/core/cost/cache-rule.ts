import type { Share, Tokens } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import { bucketOf, isCompared, ofOpenai, readWithin, shareOf, sharesOf } from "./cache-shares";
import { type Pair, pairsOf } from "./chain";
import type { PricedRequest, SentTokens } from "./priced-requests";
import { costOfRequest, inputOf } from "./recorded-cost";

/** How well the rule by which a simulation's cache is reckoned holds over a recording. */
export interface CacheRule {
  /** Pairs of requests that were compared. */
  readonly pairs: number;
  /** Of which what was read was predicted to the token, and within 2 %. */
  readonly exact: number;
  readonly within2: number;
  /** By how much the session's input would have cost more, as a share; `undefined` without prices or pairs. */
  readonly costError: Share | undefined;
}

interface Prediction {
  readonly pair: Pair;
  readonly read: Tokens;
}

/** The rule over a recorded trajectory against its recorded usage; `undefined` where nothing was ever read. */
export function checkCacheRule(columns: SessionColumns, requests: readonly PricedRequest[]): CacheRule | undefined {
  if (!requests.some(({ read }) => read > 0)) return undefined;
  const predictions = predictionsOf(pairsOf(columns, requests).filter(isCompared));
  return {
    pairs: predictions.length,
    exact: predictions.filter(({ pair, read }) => pair.now.read === read).length,
    within2: predictions.filter(isWithin).length,
    costError: costError(requests, predictions),
  };
}

function isWithin({ pair, read }: Prediction): boolean {
  return 100 * Math.abs(pair.now.read - read) <= 2 * Math.max(pair.now.read, read);
}

function predictionsOf(pairs: readonly Pair[]): readonly Prediction[] {
  const of = (provider: string) => pairs.filter(({ now }) => (now.entry?.provider ?? "other") === provider);
  const openai = of("openai");
  const other = of("other");
  const [openaiShares, otherShares] = [sharesOf(openai), sharesOf(other)];
  return [
    ...of("anthropic").map((pair) => ({ pair, read: readWithin(pair) })),
    ...openai.map((pair) => ({ pair, read: ofOpenai(pair.before.sent, pair.gap, openaiShares) })),
    ...other.flatMap((pair) => {
      const share = otherShares[bucketOf(pair.gap)];
      return share === undefined ? [] : [{ pair, read: shareOf(pair.before.sent, share) }];
    }),
  ];
}

/** What the input would have cost with the predicted reads, against what it did. */
function costError(requests: readonly PricedRequest[], predictions: readonly Prediction[]): Share | undefined {
  const predicted = new Map(predictions.map(({ pair, read }) => [pair.now, read]));
  let [recorded, simulated] = [0, 0];
  for (const request of requests) {
    const read = predicted.get(request);
    const own = costOfRequest(request);
    const other = read === undefined ? own : costOfRequest(request, withRead(request, read));
    if (own === undefined || other === undefined) return undefined;
    recorded += inputOf(own);
    simulated += inputOf(other);
  }
  return predictions.length === 0 || recorded === 0 ? undefined : simulated / recorded - 1;
}

/** The same request with another part of it read: the rest is written as the request wrote, or plain where it wrote nothing. */
export function withRead(request: PricedRequest, read: Tokens): SentTokens {
  const { sent, write5m, write1h, plain } = request;
  const taken = Math.min(read, sent);
  const rest = sent - taken;
  const writes = write5m + write1h > 0 || request.entry?.provider === "anthropic";
  if (!writes) return { read: taken, write5m: 0, write1h: 0, plain: rest };
  const kept = Math.min(plain, rest);
  const written = rest - kept;
  return write1h > 0
    ? { read: taken, write5m: 0, write1h: written, plain: kept }
    : { read: taken, write5m: written, write1h: 0, plain: kept };
}
