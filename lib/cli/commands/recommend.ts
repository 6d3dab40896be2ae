import type { AdvisedBy } from "@/lib/core/advice/recommend";
import { type SweepSet, sweepPoints, type VaryRange } from "@/lib/core/analysis/grid";
import type { ContextProfile } from "@/lib/core/context/profile";
import { adviceOver, type LeftOutSession, type ReplayedSession } from "@/lib/queries/answers/recommend";
import type { ReplayRequest } from "@/lib/queries/contract/schemas";
import { priceChoice as requirePrices } from "@/lib/queries/cost/cost-terms";
import { metricsBy, type ReplaysQuestion } from "@/lib/queries/replays/session-replays";
import { settingLines } from "@/lib/queries/replays/setting-lines";
import { unpricedTexts } from "@/lib/queries/wire/least";
import { inOrder } from "@/lib/server/base/in-order";
import { isInputError } from "@/lib/server/base/input-error";
import { pricesOf } from "@/lib/server/base/prices";
import type { CountedElsewhere } from "@/lib/server/list/relations/counted-once";
import type { RelatedInput } from "@/lib/server/list/relations/related-input";
import { relate } from "@/lib/server/list/relations/relations";
import type { SessionReplays, SessionReplaysTask, TaskRunner } from "@/lib/server/threads/tasks";
import { type ListedFile, sessionFilesOf } from "../input/folder-files";
import { type ReplayingOptions, requestOf } from "../input/price-options";
import { profileFile } from "../input/profile-file";
import { replayingRunner } from "../input/replaying-runner";
import { onceOnly, withInputFile } from "../input/standard-input";
import { CliError, EXIT, type ExitCode, exitCodeOf } from "../process/exit";
import { write } from "../text/output";
import { startProgress } from "../text/progress";
import { recommendationText, type SettingsToType } from "../text/recommendation-text";

export interface RecommendOptions extends ReplayingOptions {
  readonly policy: string;
  readonly vary: readonly VaryRange[];
  readonly by: AdvisedBy;
  readonly seed: number;
  readonly set?: NonNullable<ReplayRequest["settings"]>;
}

/** `recommend PATH…`: recommends a setting value for these sessions, or reports that there is no evidence. */
export async function recommend(paths: readonly string[], options: RecommendOptions): Promise<ExitCode> {
  onceOnly(paths);
  const { json, vary, by, seed } = options;
  requirePrices(options, pricesOf(options.prices));
  sweepPoints(vary);
  const question = { ...requestOf(options.policy, options.set, options), vary, metrics: metricsBy(by) };
  const files = await sessionFilesOf(paths);
  const profile = await profileFile(options.overhead, paths);
  const { replayed, exitCode } = await replayFiles(files, question, options, profile);
  if (replayed === undefined) return exitCode;
  const { found, leftOut } = await adviceOver(replayed, by, seed);
  if (found === undefined)
    throw new CliError(EXIT.unreadable, `no session in ${paths.join(", ")} can be replayed: ${reasons(leftOut)}`);
  const { policy, preset = null } = question;
  const toType = found.isEvidence ? settingsToType(question, found.advice.set, replayed) : [];
  await write(
    json
      ? `${JSON.stringify({ policy, preset, ...found, settingToType: toType, leftOut })}\n`
      : recommendationText(options.policy, found, leftOut, toType),
  );
  return exitCode;
}

/** The setting to type for a recommended point, once for each window of the sessions. */
function settingsToType(
  question: ReplaysQuestion,
  set: SweepSet,
  replayed: readonly ReplayedSession[],
): SettingsToType {
  const windows = new Set(replayed.flatMap(({ answer }) => (answer instanceof Error ? [] : (answer.window ?? []))));
  return [...windows].flatMap((window) => {
    const lines = settingLines(question, set, window);
    return lines.length === 0 ? [] : [{ window, lines }];
  });
}

function reasons(leftOut: readonly LeftOutSession[]): string {
  if (leftOut.length === 0) return "there are no session files.";
  const files = leftOut.map(({ file, why }) => `${file} (${why})`).join(", ");
  return [`${files}.`, ...unpricedTexts(leftOut.flatMap(({ unpricedModels = [] }) => unpricedModels))].join(" ");
}

/** The sessions with their replays; empty if the arguments are wrong. */
async function replayFiles(
  files: readonly ListedFile[],
  question: ReplaysQuestion,
  options: RecommendOptions,
  profile: ContextProfile | undefined,
) {
  const paths = files.map(({ path }) => path);
  const runner = await replayingRunner(paths, sweepPoints(question.vary).length);
  const progress = await startProgress("replaying", files.length);
  const replayed: ReplayedSession[] = [];
  let exitCode: ExitCode = EXIT.done;
  try {
    const inherited = await inheritedIn(paths, options, runner);
    const work = ({ path }: ListedFile) =>
      replaysOf(path, question, { ...options, profile }, runner, inherited.get(path)).finally(() => progress.step(1));
    let at = 0;
    for await (const answer of inOrder(files, work)) {
      const { path, named } = files[at++] ?? { path: "", named: true };
      if (answer instanceof Error) {
        // A file in a folder need not be a transcript.
        if (isInputError(answer) && !named) continue;
        exitCode = await progress.apart(() => exitCodeOf(answer));
        if (exitCode !== EXIT.unreadable) return { replayed: undefined, exitCode };
      }
      replayed.push({ file: path, answer });
    }
  } finally {
    progress.end();
    await runner.close();
  }
  return { replayed, exitCode };
}

/** Number of leading requests of each file that another file counts, as in the session list. */
async function inheritedIn(
  paths: readonly string[],
  { format, session }: RecommendOptions,
  runner: Pick<TaskRunner, "run">,
): Promise<ReadonlyMap<string, number>> {
  if (paths.length < 2) return new Map();
  const read = (path: string) =>
    withInputFile(path, async (input) => {
      const { summary, requestKeys } = await runner.run("ingest", { ...input, format, session, summaryOnly: true });
      return { id: path, summary, placed: {}, keys: requestKeys };
    });
  const inputs: RelatedInput[] = [];
  // Unreadable files are named when they are replayed.
  for await (const input of inOrder([...new Set(paths)].filter(isReread), read))
    if (!(input instanceof Error)) inputs.push(input);
  return new Map(Array.from(relate(inputs), ([path, { elsewhere }]) => [path, leading(elsewhere)]));
}

/** Standard input can be read only once. */
function isReread(path: string): boolean {
  return path !== "-";
}

function leading(elsewhere: readonly CountedElsewhere[]): number {
  const end = elsewhere.findIndex(({ row }, at) => row !== at);
  return end < 0 ? elsewhere.length : end;
}

function replaysOf(
  path: string,
  question: ReplaysQuestion,
  { format, session, profile, prices: pricesFile }: RecommendOptions & Pick<SessionReplaysTask, "profile">,
  runner: Pick<TaskRunner, "run">,
  inherited = 0,
): Promise<SessionReplays> {
  return withInputFile(path, (input) =>
    runner.run("replays", {
      ...input,
      format,
      session,
      inherited,
      profile,
      pricesFile,
      asked: { kind: "sweep", question },
    }),
  );
}
