import type { RequestIndex } from "../base/units";
import type { SessionColumns } from "../columns/columns";
import { type BucketShares, type Fraction, isCompared, sharesOf } from "./cache-shares";
import { type Pair, pairsOf } from "./chain";
import { foundBy, type ReadRule } from "./found-in-cache";
import type { PricedRequest } from "./priced-requests";

/** Facts about the caches of a recording's requests, independent of assumptions and prices. */
export class RecordedCache {
  readonly pairs: readonly Pair[];
  readonly readsRecorded: boolean;
  /** True if any request records cache writes. */
  readonly writesSeen: boolean;
  readonly openai: BucketShares;
  readonly other: BucketShares;
  /** For other providers, the share over all buckets that have one. */
  readonly anyOther: Fraction | undefined;
  /** For every request point, the first request with recorded usage from there on, else the last. */
  readonly #indexFrom: Int32Array;
  #found: readonly (ReadRule | undefined)[] | undefined;

  constructor(columns: SessionColumns, requests: readonly PricedRequest[]) {
    this.pairs = pairsOf(columns, requests);
    this.readsRecorded = requests.some(({ readsRecorded }) => readsRecorded);
    this.writesSeen = requests.some(({ write5m, write1h }) => write5m + write1h > 0);
    const sharesAt = (provider: string) => sharesOf(this.pairs.filter((pair) => isAt(provider, pair)));
    [this.openai, this.other] = [sharesAt("openai"), sharesAt("other")];
    this.anyOther = combinedShare(this.other);
    this.#indexFrom = indexFrom(columns.requests.length, requests);
  }

  /** Rule of each pair for the tokens that its request really found in the cache, which may differ from the cache rule's prediction. */
  get found(): readonly (ReadRule | undefined)[] {
    this.#found ??= this.pairs.map(foundBy);
    return this.#found;
  }

  /** Index of the request with recorded usage at a point, else of the next one; `undefined` after the last. */
  indexAt(point: RequestIndex): number | undefined {
    return this.#indexFrom[point];
  }
}

function isAt(provider: string, pair: Pair): boolean {
  return (pair.now.entry?.provider ?? "other") === provider && isCompared(pair);
}

/** Share over all buckets that have one. */
function combinedShare(shares: BucketShares): Fraction | undefined {
  const known = shares.flatMap((share) => share ?? []);
  if (known.length === 0) return undefined;
  return known.reduce((sum, { part, whole }) => ({ part: sum.part + part, whole: sum.whole + whole }), {
    part: 0,
    whole: 0,
  });
}

function indexFrom(points: number, requests: readonly PricedRequest[]): Int32Array {
  const from = new Int32Array(points).fill(requests.length - 1);
  let point = 0;
  for (let index = 0; index < requests.length; index++) {
    const end = (requests[index]?.request ?? -1) + 1;
    if (end > point) from.fill(index, point, end);
    point = Math.max(point, end);
  }
  return from;
}
