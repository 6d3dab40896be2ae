import { sentTokens } from "@/lib/agents/claude-code/read/nodes";
import type { TailState } from "@/lib/agents/claude-code/read/tail";
import { timeOf } from "@/lib/agents/shared/json";
import { usdText } from "@/lib/core/base/number-text";
import { MAX_CONTEXT, type Milliseconds, type Tokens } from "@/lib/core/base/units";
import { dollarsOf } from "@/lib/core/cost/money";
import { costOfUsage } from "@/lib/core/cost/usage-cost";
import { LISTED_PRICES } from "@/lib/core/prices/price-list";
import { type JsonObject, numberField, objectField } from "@/lib/core/records/fields";

const MINUTE: Milliseconds = 60_000;
const LONG_TTL = 60 * MINUTE;
/** Cache TTLs by their names in `prompt_cache.ttl`. */
const TTLS: ReadonlyMap<unknown, Milliseconds> = new Map([
  ["5m", 5 * MINUTE],
  ["1h", LONG_TTL],
]);

/**
 * The prompt cache's remaining time, and the extra cost of the next prompt once the cache is cold. The fields of `prompt_cache` are reported for
 * 2.1.251 and later, but not documented; without them nothing is shown. Source: sirmalloc/ccstatusline#576.
 * @param status standard input of the command
 */
export function cacheParts(status: JsonObject, state: TailState | undefined, now: Milliseconds): readonly string[] {
  const { response, compacted } = state ?? {};
  // After a compaction the next request has another prefix.
  const reported = objectField(status.prompt_cache);
  if (reported === undefined || response === undefined || compacted !== undefined) return [];
  const ttl = TTLS.get(reported.ttl);
  const expires = timeOf(reported.expires_at) ?? (ttl === undefined ? undefined : finite(response.at + ttl));
  const isCold = reported.warm === false || (expires !== undefined && expires <= now);
  if (expires === undefined && !isCold) return [];
  const prefix = sentTokens(response.usage) + (response.usage.output ?? 0);
  const more = coldCost(response, tokensIn(reported.recache_tokens_if_cold) ?? prefix, ttl);
  const cost = more === undefined ? "" : `the next prompt costs ${usdText(more)} more`;
  if (isCold) return [cost === "" ? "cache cold" : `cache cold: ${cost}`];
  const clock = `cache cold in ${durationText((expires ?? now) - now)}`;
  return [cost === "" ? clock : `${clock}, then ${cost}`];
}

/** Dollars that a prefix costs more if it is written to the cache instead of read from it; `undefined` without a price. */
function coldCost(
  { model, at, usage, terms }: NonNullable<TailState["response"]>,
  tokens: Tokens,
  ttl: Milliseconds | undefined,
): number | undefined {
  const of = (own: Partial<typeof usage>) =>
    costOfUsage({ model, at, terms, usage: { input: 0, ...own } }, LISTED_PRICES);
  const isLong = ttl === undefined ? (usage.cacheWrite1h ?? 0) > 0 : ttl === LONG_TTL;
  const cold = of({ cacheWrite: tokens, ...(isLong ? { cacheWrite1h: tokens } : {}) });
  const warm = of({ cacheRead: tokens });
  return cold === undefined || warm === undefined ? undefined : dollarsOf(cold - warm);
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

function tokensIn(value: unknown): Tokens | undefined {
  const tokens = numberField(value);
  return tokens !== undefined && tokens >= 0 && tokens <= MAX_CONTEXT ? tokens : undefined;
}

/** Names of the plan's limits in `rate_limits`, which releases since 2.1.80 send for a subscription. Source: anthropics/claude-code#40094, #45133. */
const LIMITS = [
  ["five_hour", "5 h limit"],
  ["seven_day", "7 d limit"],
] as const;

/** Used shares of the plan's limits; of an exhausted or nearly exhausted one also the time until it is reset. */
export function limitParts(status: JsonObject, now: Milliseconds): readonly string[] {
  const limits = objectField(status.rate_limits);
  return LIMITS.flatMap(([key, name]) => {
    const limit = objectField(limits?.[key]);
    const used = numberField(limit?.used_percentage);
    if (used === undefined || used < 0 || used > 1000) return [];
    const resets = timeOf(limit?.resets_at);
    const isNear = used >= NEAR_LIMIT && resets !== undefined && resets > now;
    return [`${name} ${Math.round(used)} %${isNear ? `, resets in ${durationText(resets - now)}` : ""}`];
  });
}

/** Used share of a limit, in per cent, from which its reset is shown. */
const NEAR_LIMIT = 80;

/** A duration in its largest units: `40 s`, `4 min`, `1 h 20 min`, `2 d 3 h`. */
function durationText(duration: Milliseconds): string {
  const seconds = Math.max(0, Math.round(duration / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return hours % 24 === 0 ? `${hours / 24} d` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
