import { policyById } from "@/lib/agents/policies";
import type { AdvisedBy } from "@/lib/core/advice/recommend";
import { sweepPoints, type VaryRange } from "@/lib/core/analysis/grid";
import { presetOfName } from "@/lib/core/compaction/preset-names";
import type { ContextProfile } from "@/lib/core/context/profile";
import {
  adviceOver,
  type LeftOutSession,
  type ReplayedSession,
  settingsToType,
  windowsOf,
} from "@/lib/queries/answers/recommend";
import type { ReplayRequest } from "@/lib/queries/contract/schemas";
import { priceChoice as requirePrices } from "@/lib/queries/cost/cost-terms";
import { metricsBy, type ReplaysQuery } from "@/lib/queries/replays/session-replays";
import { unpricedTexts } from "@/lib/queries/wire/least";
import type { CurrentSetting } from "@/lib/server/agent-settings/current-settings";
import { settingsNow } from "@/lib/server/agent-settings/shown-files";
import { inOrder } from "@/lib/server/base/in-order";
import { isInputError } from "@/lib/server/base/input-error";
import { pricesOf } from "@/lib/server/base/prices";
import type { SessionReplays, SessionReplaysTask, TaskRunner } from "@/lib/server/threads/tasks";
import { type ListedFile, sessionFilesOf } from "../input/folder-files";
import { inheritedIn } from "../input/inherited";
import { type ReplayingOptions, requestOf } from "../input/price-options";
import { profileFile } from "../input/profile-file";
import { replayingRunner } from "../input/replaying-runner";
import { onceOnly, withInputFile } from "../input/standard-input";
import { CliError, EXIT, type ExitCode, exitCodeOf, say } from "../process/exit";
import { applySetting } from "../setup/apply-setting";
import { write } from "../text/output";
import { printable } from "../text/printable";
import { startProgress } from "../text/progress";
import { recommendationText, WHY } from "../text/recommendation-text";

export interface RecommendOptions extends ReplayingOptions {
  readonly policy: string;
  readonly vary: readonly VaryRange[];
  readonly by: AdvisedBy;
  readonly seed: number;
  readonly set?: NonNullable<ReplayRequest["settings"]>;
  /** Writes the setting into the agent's settings file; with `yes` without asking for confirmation. */
  readonly apply?: boolean;
  readonly yes?: boolean;
}

/** `recommend PATH…`: recommends a setting value for these sessions, or reports that there is no evidence. */
export async function recommend(paths: readonly string[], options: RecommendOptions): Promise<ExitCode> {
  onceOnly(paths);
  const { json, vary, by, seed } = options;
  requirePrices(options, pricesOf(options.prices));
  sweepPoints(vary);
  const request = requestOf(options.policy, options.set, options);
  const files = await sessionFilesOf(paths);
  const now = await settingsOf(request, files);
  const settings = { ...Object.fromEntries(now.map(({ key, value }) => [key, value])), ...options.set };
  const query = { ...request, settings, vary, metrics: metricsBy(by) };
  const profile = await profileFile(options.overhead, paths);
  const { replayed, exitCode } = await replayFiles(files, query, options, profile);
  if (replayed === undefined) return exitCode;
  const { found, leftOut } = await adviceOver(replayed, by, seed);
  if (found === undefined)
    throw new CliError(EXIT.unreadable, `no session in ${paths.join(", ")} can be replayed: ${reasons(leftOut)}`);
  const { policy, preset = null } = query;
  const toType = settingsToType(query, found, replayed);
  const replayedFiles = replayed.map(({ file }) => file);
  await write(
    json
      ? `${JSON.stringify({ policy, preset, ...found, settingToType: toType, currentSettings: now, leftOut })}\n`
      : recommendationText(options.policy, found, leftOut, toType) + currentSettingsText(now),
  );
  if (options.apply === true)
    await applySetting(
      { found, query, windows: windowsOf(replayed), recordings: replayedFiles },
      { yes: options.yes === true },
    );
  return exitCode;
}

/** The settings in force on this machine for all of these sessions, without the ones that the command sets. */
async function settingsOf(
  { policy, preset, settings }: ReplayRequest,
  files: readonly ListedFile[],
): Promise<readonly CurrentSetting[]> {
  const known = policyById(policy);
  const own = known && preset !== undefined ? presetOfName(known, preset) : undefined;
  const paths = files.map(({ path }) => path);
  const { settings: now, problems } = await settingsNow(policy, own, paths, { env: process.env });
  for (const { file, problem } of problems) say(`${file}: ${problem}; none of its settings count.`);
  return now.filter(({ key }) => !Object.hasOwn(settings ?? {}, key));
}

/** The settings in force on this machine, which the comparison starts from. */
function currentSettingsText(settings: readonly CurrentSetting[]): string {
  if (settings.length === 0) return "";
  const stated = settings.map(({ key, value, file, line }) => `${key}=${value} (from ${file} line ${line})`);
  return `${printable(`Set on this machine: ${stated.join(", ")}. The row "as it is" uses them.`)}
`;
}

function reasons(leftOut: readonly LeftOutSession[]): string {
  if (leftOut.length === 0) return "there are no session files.";
  const files = leftOut.map(({ file, why }) => `${file} (${WHY[why]})`).join(", ");
  return [`${files}.`, ...unpricedTexts(leftOut.flatMap(({ unpricedModels = [] }) => unpricedModels))].join(" ");
}

/** The sessions with their replays; empty if the arguments are wrong. */
async function replayFiles(
  files: readonly ListedFile[],
  query: ReplaysQuery,
  options: RecommendOptions,
  profile: ContextProfile | undefined,
) {
  const paths = files.map(({ path }) => path);
  const runner = await replayingRunner(paths, sweepPoints(query.vary).length);
  const progress = await startProgress("replaying", files.length);
  const replayed: ReplayedSession[] = [];
  let exitCode: ExitCode = EXIT.done;
  try {
    const inherited = await inheritedIn(paths, options, runner);
    const work = ({ path }: ListedFile) =>
      replaysOf(path, query, { ...options, profile }, runner, inherited.get(path)).finally(() => progress.step(1));
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

function replaysOf(
  path: string,
  query: ReplaysQuery,
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
      asked: { kind: "sweep", query },
    }),
  );
}
