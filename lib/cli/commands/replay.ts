import { countedText, countText, usdText } from "@/lib/core/base/number-text";
import { bandsOfTotals } from "@/lib/core/metrics/answered";
import { printedMetrics } from "@/lib/core/metrics/metric-text";
import { METRICS } from "@/lib/core/metrics/registry";
import { boundaryOfSession, boundaryTextsOfSession, replaySession } from "@/lib/queries/answers/session-answers";
import type { ReplayRequest, ReplayResult, SessionSummary } from "@/lib/queries/contract/schemas";
import { unpricedTexts } from "@/lib/queries/wire/least";
import { limitRemark, refusedRemark, windowRemark, windowSizes } from "@/lib/queries/wire/window-text";
import { pricesOf } from "@/lib/server/base/prices";
import { LIST_PRICES, type ReplayingOptions, requestOf, termsNotes } from "../input/price-options";
import { profileFile } from "../input/profile-file";
import { withSession } from "../input/session-file";
import { CliError, EXIT, say } from "../process/exit";
import { boundaryText, textsText } from "../text/boundary-text";
import { countingText, doubtLines, inheritedNote, isUnscaled, sameCountText } from "../text/counting-text";
import { write, writeAnswer } from "../text/output";
import { printable } from "../text/printable";

export interface ReplayOptions extends ReplayingOptions {
  readonly policy: string;
  readonly set?: NonNullable<ReplayRequest["settings"]>;
  /** The request whose compaction is shown item by item. */
  readonly at?: number;
  /** Adds the context after the compaction, the agent's prompt and its report. */
  readonly texts?: boolean;
}

/** `replay FILE`: replays the session under a policy. With `at`, shows what the compaction before that request did with each item. */
export async function replay(file: string, options: ReplayOptions): Promise<void> {
  const { at, texts } = options;
  if (texts && at === undefined) {
    throw new CliError(EXIT.badArguments, "--texts needs --at, the request of one compaction.");
  }
  const request = requestOf(options.policy, options.set, options);
  const prices = pricesOf(options.prices);
  const profile = await profileFile(options.overhead, [file]);
  await withSession(file, options, async (session) => {
    if (at === undefined) {
      const result = await replaySession(session, request, profile, prices);
      await writeAnswer<"replay">(result, options, (one) => readable(one, session.summary));
      if (isUnscaled(result)) say(NOT_CALIBRATED);
    } else if (texts) {
      const answer = await boundaryTextsOfSession(session, { ...request, at }, profile, prices);
      await writeAnswer<"boundary">(answer, options, (one) => boundaryText(one) + textsText(one));
    } else {
      const details = await boundaryOfSession(session, request, at, profile, prices);
      await write(options.json ? `${JSON.stringify(details)}\n` : boundaryText(details));
    }
  });
}

/** Goes to standard error, so that people see it even if a script reads the metrics. */
const NOT_CALIBRATED =
  "not calibrated: fewer than 8 pairs of requests with usage to fit on. The estimate is not scaled.";

function readable(result: ReplayResult, summary: SessionSummary): string {
  const { compactions, thresholdTokens, totals } = result;
  const limit = thresholdTokens === null ? "" : `, limit ${countText(thresholdTokens)}`;
  const lines = [
    `${result.policy}@${result.preset}, window ${windowSizes(result.window)}${limit}, estimator ${result.estimator}, ${countingText(result)}`,
    ...metricLines(result),
    ...costNotes(result),
    ...inheritedNote(summary),
    ...[
      windowRemark(result.window) ?? [],
      limitRemark(thresholdTokens, result.window.tokens) ?? [],
      refusedRemark(result.refused) ?? [],
    ].flat(),
    ...compactions.map((one) => compactionLine(one, totals.requests)),
    ...doubtLines(result),
    "The recorded trajectory is held fixed; under another policy the agent would have gone on differently.",
  ];
  return `${lines.map(printable).join("\n")}\n`;
}

function costNotes({ totals: { costUsd, unpricedModels = [] }, costTerms }: ReplayResult): readonly string[] {
  if (unpricedModels.length > 0) return ["The cost is n/a: a request has no price.", ...unpricedTexts(unpricedModels)];
  if (costUsd === null) return ["The cost is n/a: no request records its usage."];
  const { summaryCalls } = costUsd;
  const calls =
    summaryCalls === null || summaryCalls === 0 ? [] : [`${usdText(summaryCalls)} of the cost is for summaries.`];
  return [...calls, ...pauseNotes(costUsd), ...termsNotes(costTerms), LIST_PRICES];
}

function pauseNotes({ pauses }: NonNullable<ReplayResult["totals"]["costUsd"]>): readonly string[] {
  if (pauses === undefined) return [];
  const { idle, unusedIdle, keepAliveRequests, keepAliveUsd, unusedUsd } = pauses;
  return [
    `In pauses: ${countedText(idle, "idle compaction")}, ${unusedIdle} of them unused; ${countedText(keepAliveRequests, "keep-alive request")} for ${usdText(keepAliveUsd)}. ${usdText(unusedUsd)} was spent after the last request.`,
  ];
}

const METRICS_PER_LINE = 4;

function metricLines({ totals, compactions }: ReplayResult): readonly string[] {
  const { costUsd, unpricedModels: _, ...sums } = totals;
  const metrics = { ...sums, costUsd: costUsd?.total ?? null, compactions: compactions.length };
  const spoken = printedMetrics(METRICS, "replay", metrics, bandsOfTotals(totals));
  const lines = Array.from(
    { length: Math.ceil(spoken.length / METRICS_PER_LINE) },
    (_, line) => line * METRICS_PER_LINE,
  );
  return lines.map((from) => spoken.slice(from, from + METRICS_PER_LINE).join(", "));
}

/** A compaction in the pause after the last request has the number of requests as its index. */
function compactionLine(compaction: ReplayResult["compactions"][number], requests: number): string {
  const { request, tokensBefore, tokensAfter, trigger, outcome, droppedItems } = compaction;
  const sizes = `${countText(tokensBefore)} → ${countText(tokensAfter)}`;
  const dropped = `${countedText(droppedItems, "item")} dropped`;
  const position = request < requests ? `before request ${request}` : "after the last request";
  return `  ${position}: ${sizes} (${trigger}, ${outcome})${sameCountText(compaction)}, ${dropped}`;
}
