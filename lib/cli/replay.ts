import type { CountingMode, ReplayRequest, ReplayResult } from "@/lib/api/contract";
import { FIGURES } from "@/lib/core/figures/registry";
import { boundaryOfSession, boundaryTextsOfSession, replaySession } from "@/lib/server/questions";
import { splitPreset } from "./arguments";
import { boundaryText, textsText } from "./boundary-text";
import { countText } from "./count-text";
import { countingText, doubtLines, isUnscaled, sameCountText } from "./counting-text";
import { CliError, EXIT, say } from "./exit";
import { spokenFigures } from "./figure-text";
import { write } from "./output";
import { printable } from "./printable";
import { profileFile } from "./profile-file";
import { type CountingOptions, type ReadingOptions, withSession } from "./session-file";
import { usdText } from "./usd-text";

export interface ReplayOptions extends ReadingOptions, CountingOptions {
  readonly policy: string;
  readonly set?: NonNullable<ReplayRequest["settings"]>;
  readonly counting?: CountingMode;
  /** The request whose compaction is wanted item by item. */
  readonly at?: number;
  /** Adds the texts: the context after it, the agent's prompt, its report. */
  readonly texts?: boolean;
  readonly json?: boolean;
}

/** `replay FILE`: the session under another policy; with a request, what the compaction before it did with every item. */
export async function replay(file: string, options: ReplayOptions): Promise<void> {
  const { at, texts, format, session: part } = options;
  if (texts && at === undefined) {
    throw new CliError(EXIT.badArguments, "--texts are those of one compaction: name its request with --at.");
  }
  const { id, preset } = splitPreset(options.policy);
  const request: ReplayRequest = {
    policy: id,
    preset,
    settings: options.set,
    estimator: options.estimator,
    window: options.window,
    counting: options.counting,
  };
  const profile = await profileFile(options.overhead, [file]);
  await withSession({ file, format, session: part }, async (session) => {
    if (at === undefined) {
      const result = await replaySession(session, request, profile);
      await write(options.json ? `${JSON.stringify(result)}\n` : readable(result));
      if (isUnscaled(result)) say(NOT_CALIBRATED);
    } else if (texts) {
      const answer = await boundaryTextsOfSession(session, { ...request, at }, profile);
      await write(options.json ? `${JSON.stringify(answer)}\n` : boundaryText(answer) + textsText(answer));
    } else {
      const details = await boundaryOfSession(session, request, at, profile);
      await write(options.json ? `${JSON.stringify(details)}\n` : boundaryText(details));
    }
  });
}

/** Said beside the answer, so that a script that reads the figures alone is told too. */
const NOT_CALIBRATED =
  "not calibrated: fewer than 8 pairs of requests with usage to fit on. The estimate is not scaled.";

function readable(result: ReplayResult): string {
  const { compactions, thresholdTokens } = result;
  const limit = thresholdTokens === null ? "" : `, limit ${countText(thresholdTokens)}`;
  const lines = [
    `${result.policy}@${result.preset}, window ${countText(result.window.tokens)}${limit}, estimator ${result.estimator}, ${countingText(result)}`,
    ...figureLines(result),
    ...costLine(result),
    ...compactions.map(compactionLine),
    ...doubtLines(result),
    "The recorded trajectory is held fixed; under another policy the agent would have gone on differently.",
  ];
  return `${lines.map(printable).join("\n")}\n`;
}

/** What it would have cost, with the band in which that lies. */
function costLine({ totals: { costUsd } }: ReplayResult): readonly string[] {
  if (costUsd === null) return [];
  const { total, low, high, summaryCalls, lowerBound } = costUsd;
  const calls = summaryCalls === null || summaryCalls === 0 ? "" : `, ${usdText(summaryCalls)} of it for summaries`;
  const band = low === high ? "" : `, between ${usdText(low)} and ${usdText(high)}`;
  return [`cost by list prices ${lowerBound ? "≥ " : ""}${usdText(total)}${calls}${band}`];
}

/** Figures on a line. */
const FIGURES_A_LINE = 4;

function figureLines({ totals: { costUsd: _, ...totals }, compactions }: ReplayResult): readonly string[] {
  const spoken = spokenFigures(FIGURES, "replay", { ...totals, compactions: compactions.length });
  const lines = Array.from({ length: Math.ceil(spoken.length / FIGURES_A_LINE) }, (_, line) => line * FIGURES_A_LINE);
  return lines.map((from) => spoken.slice(from, from + FIGURES_A_LINE).join(", "));
}

function compactionLine(compaction: ReplayResult["compactions"][number]): string {
  const { request, tokensBefore, tokensAfter, trigger, outcome, droppedItems } = compaction;
  const sizes = `${countText(tokensBefore)} → ${countText(tokensAfter)}`;
  const dropped = `${countText(droppedItems)} items dropped`;
  return `  before request ${request}: ${sizes} (${trigger}, ${outcome})${sameCountText(compaction)}, ${dropped}`;
}
