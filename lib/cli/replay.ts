import type { CountingMode, ReplayRequest, ReplayResult } from "@/lib/api/contract";
import { boundaryOfSession, boundaryTextsOfSession, replaySession } from "@/lib/server/questions";
import { splitPreset } from "./arguments";
import { boundaryText, textsText } from "./boundary-text";
import { countText } from "./count-text";
import { CliError, EXIT, say } from "./exit";
import { write } from "./output";
import { printable } from "./printable";
import { profileFile } from "./profile-file";
import { type CountingOptions, type ReadingOptions, withSession } from "./session-file";

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
      if (result.calibration === null && isCalibrating(result)) say(NOT_CALIBRATED);
    } else if (texts) {
      const answer = await boundaryTextsOfSession(session, { ...request, at }, profile);
      await write(options.json ? `${JSON.stringify(answer)}\n` : boundaryText(answer) + textsText(answer));
    } else {
      const details = await boundaryOfSession(session, request, at, profile);
      await write(options.json ? `${JSON.stringify(details)}\n` : boundaryText(details));
    }
  });
}

function countingText(result: ReplayResult): string {
  return result.calibration === null && isCalibrating(result) ? `${result.counting} (not calibrated)` : result.counting;
}

/** Beside the answer, whose counting is the one that was asked for: a script that reads the figures alone is told too. */
const NOT_CALIBRATED =
  "not calibrated: fewer than 8 pairs of requests with usage to fit on. The estimate is not scaled.";

/** Whether calibrating was asked for, by a policy that counts: what was recorded is counted by the usage. */
function isCalibrating({ counting, policy }: ReplayResult): boolean {
  return counting !== "estimate" && policy !== "recorded";
}

function readable(result: ReplayResult): string {
  const { totals, compactions, thresholdTokens } = result;
  const limit = thresholdTokens === null ? "" : `, limit ${countText(thresholdTokens)}`;
  const lines = [
    `${result.policy}@${result.preset}, window ${countText(result.window.tokens)}${limit}, estimator ${result.estimator}, ${countingText(result)}`,
    `requests ${countText(totals.requests)}, compactions ${countText(compactions.length)}, peak ${countText(totals.peak)}, final ${countText(totals.final)}`,
    `tokens sent ${countText(totals.tokensSent)}, rewritten ${countText(totals.tokensRewritten)}, for summaries ${countText(totals.summaryCallTokens)}, requests over the window ${countText(totals.requestsOverWindow)}`,
    ...compactions.map(
      (one) =>
        `  before request ${one.request}: ${countText(one.tokensBefore)} → ${countText(one.tokensAfter)} (${one.trigger}, ${one.outcome}), ${countText(one.droppedItems)} items dropped`,
    ),
    "The recorded trajectory is held fixed; under another policy the agent would have gone on differently.",
  ];
  return `${lines.map(printable).join("\n")}\n`;
}
