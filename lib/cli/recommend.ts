import type { ReplayRequest } from "@/lib/api/contract";
import { sweepPoints, type VaryRange } from "@/lib/core/metrics/grid";
import { priceChoice as requirePrices } from "@/lib/questions/cost-terms";
import { type AdvisedBy, recommend as recommendOver, type SweptSession } from "@/lib/questions/recommendation";
import { isInputError } from "@/lib/server/ingest/input-error";
import { PoolRunner } from "@/lib/server/pool";
import { pricesOf } from "@/lib/server/prices";
import { advisedReplays, sweptForAdvice } from "@/lib/server/recommend";
import type { SweepQuestion } from "@/lib/server/sweep";
import { CliError, EXIT, type ExitCode, exitCodeOf } from "./exit";
import { type ListedFile, sessionFilesOf } from "./folder-files";
import { write } from "./output";
import { type ReplayingOptions, requestOf } from "./price-options";
import { startProgress } from "./progress";
import { type LeftOutFile, recommendationText } from "./recommendation-text";
import { programRoot } from "./root";
import { withSession } from "./session-file";
import { onceOnly } from "./standard-input";

export interface RecommendOptions extends ReplayingOptions {
  readonly policy: string;
  readonly vary: readonly VaryRange[];
  readonly by: AdvisedBy;
  readonly seed: number;
  readonly set?: NonNullable<ReplayRequest["settings"]>;
}

/** `recommend PATH…`: says which value of a setting to choose over these sessions, or that there is no evidence for any. */
export async function recommend(paths: readonly string[], options: RecommendOptions): Promise<ExitCode> {
  onceOnly(paths);
  const { json, vary, by, seed } = options;
  const prices = pricesOf(options.prices);
  requirePrices(options, prices);
  const question: SweepQuestion = { ...requestOf(options.policy, options.set, options), vary, prices };
  const files = await sessionFilesOf(paths);
  const { swept, leftOut, exitCode } = await sweepFiles(files, question, options);
  if (swept === undefined) return exitCode;
  const found = recommendOver(swept, by, seed);
  if (found === undefined)
    throw new CliError(EXIT.unreadable, `no session in ${paths.join(", ")} can be asked: ${reasons(leftOut)}.`);
  const { policy, preset = null } = question;
  await write(
    json
      ? `${JSON.stringify({ policy, preset, ...found, leftOut })}\n`
      : recommendationText(options.policy, found, leftOut),
  );
  return exitCode;
}

function reasons(leftOut: readonly LeftOutFile[]): string {
  return leftOut.length === 0
    ? "there are no session files"
    : leftOut.map(({ file, why }) => `${file} (${why})`).join(", ");
}

/** The sessions with their replays; none of them where the arguments are at fault. */
async function sweepFiles(files: readonly ListedFile[], question: SweepQuestion, options: RecommendOptions) {
  const runner = new PoolRunner(programRoot());
  const each = advisedReplays(sweepPoints(question.vary).length, question, options.by);
  const progress = startProgress("replaying", each * files.length);
  const bySession = new Map<string, SweptSession>();
  const leftOut: LeftOutFile[] = [];
  let exitCode: ExitCode = EXIT.done;
  try {
    for (const { path, named } of files) {
      let done = 0;
      const onReplays = (count: number) => {
        done += count;
        progress.step(count);
      };
      try {
        await withSession(
          path,
          options,
          async (session) => {
            const swept = await sweptForAdvice(session, undefined, question, options.by, runner, { onReplays });
            if (typeof swept === "string") leftOut.push({ file: path, why: swept });
            else keepLonger(bySession, session.summary.sessionId ?? path, { ...swept, file: path }, leftOut);
          },
          runner,
        );
      } catch (error) {
        if (!isInputError(error) || named) {
          exitCode = await progress.apart(() => exitCodeOf(error));
          if (exitCode !== EXIT.unreadable) return { swept: undefined, leftOut, exitCode };
          leftOut.push({ file: path, why: "unreadable" });
        }
      }
      progress.step(each - done);
    }
  } finally {
    progress.end();
    await runner.close();
  }
  return { swept: [...bySession.values()], leftOut, exitCode };
}

/** Agents copy a session when it is resumed: of several files of one session the one with the most requests stands for it. */
function keepLonger(known: Map<string, SweptSession>, id: string, swept: SweptSession, leftOut: LeftOutFile[]): void {
  const requests = ({ replays }: SweptSession) => replays["as-set"].current.totals.requests;
  const other = known.get(id);
  const isLonger = other === undefined || requests(swept) > requests(other);
  if (isLonger) known.set(id, swept);
  const copy = isLonger ? other : swept;
  if (copy !== undefined) leftOut.push({ file: copy.file, why: "copy" });
}
