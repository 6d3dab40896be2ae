import type { Milliseconds, Tokens } from "../../base/units";
import type { CacheModel } from "../cache-model";
import { BUCKETS, SLACK } from "../cache-shares";
import { TTLS } from "../chain";
import type { ReadRule } from "../found-in-cache";
import { keepAliveOf } from "./acted-pauses";

/** Keep-alive requests during a pause: their number, and the time that they take. */
interface Refreshes {
  readonly refreshes: number;
  readonly keptAlive: Milliseconds;
}

/** A pause whose cache is kept alive: the reads of the request that ends it, and of a call for a summary right before that request. */
interface KeptAlive extends Refreshes {
  readonly rule: ReadRule;
}

/** A compaction during a pause. */
export interface InPause extends Refreshes {
  /** Time since the request before the pause. */
  readonly at: Milliseconds;
  /** Reads of the call for the summary, and of the request that ends the pause: after a call that used the cache, and after none. */
  readonly callRule: ReadRule;
  readonly rule: ReadRule;
  readonly unusedRule: ReadRule;
}

/** Ways to act in a pause that differ in cost. */
export interface PauseOptions {
  readonly keepAlive: KeptAlive | undefined;
  readonly compactions: readonly InPause[];
}

/** Gaps at which the reads of some cache change. */
const EDGES: readonly Milliseconds[] = [...BUCKETS, TTLS.short + SLACK, TTLS.long + SLACK];
/** A compaction happens after this share of the period in which its cost does not change. */
const TIMED_SHARE = 0.9;
const MINUTE_MS = 60_000;

/** Maximum number of keep-alive requests after a request that sent this many tokens. */
export function mostRefreshes(cache: CacheModel, index: number, sent: Tokens): number {
  return keepAliveOf(cache, index, sent, Number.POSITIVE_INFINITY).most;
}

/**
 * Ways to act in the pause before a request. The minute of a compaction changes its cost only through the reads of its call and of the request that
 * ends the pause, so one minute represents all with the same reads. `undefined` without a pause.
 * @param sharesPrefix true if the summary call begins with the previously sent context
 */
export function pauseOptions(cache: CacheModel, index: number, sharesPrefix: boolean): PauseOptions | undefined {
  const gap = cache.gap(index);
  if (index === 0 || !(gap > 0)) return undefined;
  const { period, most } = keepAliveOf(cache, index - 1, 0, Number.POSITIVE_INFINITY);
  const counts = most === 0 ? [0] : refreshCounts(gap, period, cache.ttlAfter(index - 1) + SLACK);
  const compactions = counts.flatMap((refreshes) =>
    timesInPause(cache, index, { refreshes, keptAlive: refreshes * period }, sharesPrefix),
  );
  return { keepAlive: keptAlive(cache, index, gap, period, counts.at(-1) ?? 0), compactions };
}

/**
 * Numbers of keep-alive requests worth considering: none, the fewest that leave the cache warm for a compaction in between, and the fewest that keep
 * it warm to the end of the pause.
 */
function refreshCounts(gap: Milliseconds, period: Milliseconds, ttl: Milliseconds): readonly number[] {
  const until = (uncovered: Milliseconds) => Math.max(0, Math.ceil(uncovered / period));
  return [...new Set([0, until(gap - 2 * ttl), until(gap - ttl)])];
}

function keptAlive(
  cache: CacheModel,
  index: number,
  gap: Milliseconds,
  period: Milliseconds,
  refreshes: number,
): KeptAlive | undefined {
  if (refreshes === 0) return undefined;
  const facts = cache.factsAfter(index, gap - refreshes * period);
  const rule = cache.readsAlike(index, facts) ? undefined : cache.readRule(index, facts);
  return rule && { refreshes, keptAlive: refreshes * period, rule };
}

/** Compactions after a number of keep-alive requests, one for each combination of reads. */
function timesInPause(cache: CacheModel, index: number, kept: Refreshes, sharesPrefix: boolean): readonly InPause[] {
  const [gap, start] = [cache.gap(index), kept.keptAlive];
  const inside = EDGES.flatMap((edge) => [start + edge, gap - edge]).filter((at) => at > start && at < gap);
  const ends = sharesPrefix ? [...new Set(inside), gap].sort((a, b) => a - b) : [gap];
  const unusedRule = cache.readRule(index, cache.factsAfter(index, gap - start));
  const found: { from: Milliseconds; to: Milliseconds; readonly key: string; readonly rules: Omit<InPause, "at"> }[] =
    [];
  let from = start;
  for (const to of ends) {
    const middle = (from + to) / 2;
    // A call that begins with other text reads nothing, even where the reads in the pause are unknown.
    const callRule = sharesPrefix ? cache.readRule(index, cache.factsInPause(index - 1, middle - start)) : unusedRule;
    const rule = sharesPrefix ? cache.readRule(index, cache.factsAfter(index, gap - middle)) : unusedRule;
    if (callRule !== undefined && rule !== undefined && unusedRule !== undefined) {
      const key = keyOf(callRule, rule);
      const last = found.at(-1);
      if (last?.key === key) last.to = to;
      else found.push({ from, to, key, rules: { ...kept, callRule, rule, unusedRule } });
    }
    from = to;
  }
  return found.map(({ from: after, to, rules }) => ({ ...rules, at: timed(after, to) }));
}

function keyOf(...rules: readonly ReadRule[]): string {
  return rules.map(({ most, share, step, tailBefore }) => [most, share.part, share.whole, step, tailBefore]).join();
}

/** Time of a compaction between two times, in whole minutes if possible. */
function timed(from: Milliseconds, to: Milliseconds): Milliseconds {
  const at = from + TIMED_SHARE * (to - from);
  const whole = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  return whole > from ? whole : at;
}
