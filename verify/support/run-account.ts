import { sumOf } from "@/lib/core/base/numbers";
import type { Policy, PolicyChosen } from "@/lib/core/compaction/policy/policy";
import type { Replay } from "@/lib/core/compaction/replay";
import type { Comparison } from "./cross-check";

/**
 * Compares a run's report on its compactions, and its totals, with its own series, by the definitions: flags, items, totals. The agent's own
 * check verifies the series itself. Source: docs/method.md, "Simulating" and "The metrics of a replay".
 */
export function checkAccount(
  comparison: Comparison,
  numbers: Replay,
  { policy, ...chosen }: PolicyChosen & { readonly policy: Policy },
): void {
  const { window } = chosen;
  const limit = policy.threshold?.(chosen) ?? window;
  const { compactions, context, totals } = numbers;
  let lastAsked = Number.NEGATIVE_INFINITY;
  for (const one of compactions) {
    const { request, tokensAfter } = one;
    const where = `${one.outcome} before request ${request}`;
    // A clearing, a trim and a skipped compaction ask for no summary, so they never count as thrash.
    const asks = ["summary", "fallback", "failed"].includes(one.outcome);
    const isThrash = asks && (request - lastAsked < 3 || tokensAfter > 0.8 * limit);
    if (asks) lastAsked = request;
    comparison.same(`${where}, thrash`, Number(one.thrash), Number(isThrash));
    const comparable = one.tokensBeforeCounted ?? one.tokensBefore;
    comparison.same(`${where}, shrunk`, Number(one.shrunk), Number(tokensAfter < comparable));
    comparison.same(`${where}, what is sent`, context[request] ?? -1, tokensAfter);
    // A clearing keeps everything, and a long session may have one before every request.
    if (one.outcome === "summary") comparison.same(`${where}, items kept`, one.keptItems, one.kept.length);
  }
  const sent = Array.from(context);
  const isMeasured = sent.map((_, request) => request < numbers.followed && numbers.estimated[request] === 0);
  const reached = sent.map((tokens, request) => {
    const counts = request >= numbers.followed || isMeasured[request] === true || !isMeasured.includes(true);
    return counts ? tokens : 0;
  });
  for (const { request, tokensBefore } of compactions) {
    reached[request] = Math.max(reached[request] ?? 0, tokensBefore);
  }
  const exact = [
    sent.length,
    reached.reduce((most, tokens) => Math.max(most, tokens), 0),
    sent.at(-1) ?? 0,
    sumOf(sent),
    sumOf(compactions.map(({ summaryCallTokens }) => summaryCallTokens)),
    reached.filter((tokens) => tokens > window).length,
    sumOf(numbers.uncached),
  ];
  const { requests, peak, final, tokensSent, summaryCallTokens, requestsOverWindow, tokensRewritten } = totals;
  const reported = [requests, peak, final, tokensSent, summaryCallTokens, requestsOverWindow, tokensRewritten];
  comparison.same("totals", reported, exact);
  for (const [request, tokens] of sent.entries()) {
    const parts =
      sumOf(numbers.byCategory.map((column) => column[request] ?? 0)) + (numbers.unattributed[request] ?? 0);
    if (parts !== tokens) comparison.same(`request ${request}, categories`, parts, tokens);
  }
}
