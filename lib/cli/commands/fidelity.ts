import { agentPolicies, profileOf } from "@/lib/agents/registry";
import type { ContextProfile } from "@/lib/core/context/profile";
import { type CheckedFile, checkedFile, fidelityTable } from "@/lib/queries/accuracy/fidelity-table";
import type { FidelityTable, ReplayRequest } from "@/lib/queries/contract/schemas";
import { sessionlessSettings } from "@/lib/queries/session/session-context";
import { inOrder } from "@/lib/server/base/in-order";
import { type InputErrorCode, isInputError } from "@/lib/server/base/input-error";
import { LocalRunner } from "@/lib/server/threads/local-runner";
import type { IngestTask, TaskRunner } from "@/lib/server/threads/tasks";
import { type ListedFile, noSessionIn, sessionFilesOf } from "../input/folder-files";
import { profileFile } from "../input/profile-file";
import { onceOnly, withInputFile } from "../input/standard-input";
import { CliError, EXIT, type ExitCode, exitCodeOf, say } from "../process/exit";
import { fidelityText } from "../text/fidelity-text";
import { write } from "../text/output";
import { startProgress } from "../text/progress";

export interface FidelityOptions {
  readonly set?: NonNullable<ReplayRequest["settings"]>;
  /** A file with a context profile. */
  readonly overhead?: string;
  readonly json?: boolean;
}

/**
 * `fidelity PATH…`: shows how well each recording's own policy predicts its compactions. Skips files in folders that are not transcripts. Reports
 * unreadable files and continues; an invalid setting ends the command.
 */
export async function fidelity(
  paths: readonly string[],
  { set = {}, overhead, json }: FidelityOptions,
): Promise<ExitCode> {
  requireKnownKeys(Object.keys(set));
  onceOnly(paths);
  const files = await sessionFilesOf(paths);
  if (files.length === 0) throw noSessionIn(paths);
  const profile = await profileFile(overhead, paths);
  const { table, sessions, exitCode } = await checkAll(files, set, profile);
  if (sessions === 0 && exitCode === EXIT.done) throw noSessionIn(paths);
  // Without a readable file there is no table to print.
  if (table !== undefined && (exitCode === EXIT.done || table.rows.length > 0))
    await write(json ? `${JSON.stringify(table)}\n` : fidelityText(table));
  return exitCode;
}

/** Checks all files and returns one table and the exit code, which is non-zero for unreadable files. Bad arguments give no table. */
export async function checkAll(
  files: readonly ListedFile[],
  set: NonNullable<FidelityOptions["set"]>,
  profile?: ContextProfile,
): Promise<{ readonly table: FidelityTable | undefined; readonly sessions: number; readonly exitCode: ExitCode }> {
  const runner = new LocalRunner();
  const progress = await startProgress("checking", files.length);
  const checked: CheckedFile[] = [];
  const withoutPolicy: string[] = [];
  let sessions = 0;
  let exitCode: ExitCode = EXIT.done;
  try {
    for await (const result of inOrder(files, (file) => checkOf(runner, file, { settings: set, profile }))) {
      progress.step();
      if (!(result instanceof Error)) {
        if (result === undefined) continue;
        sessions += 1;
        if (typeof result === "string") withoutPolicy.push(result);
        else if (result !== null) checked.push(result);
      } else {
        exitCode = await progress.apart(() => exitCodeOf(result));
        if (exitCode !== EXIT.unreadable) return { table: undefined, sessions, exitCode };
      }
    }
  } finally {
    progress.end();
    await runner.close();
  }
  if (withoutPolicy.length > 0) say(notCompared(withoutPolicy));
  return { table: fidelityTable(checked), sessions, exitCode };
}

/** @param agents the agent of each session */
function notCompared(agents: readonly string[]): string {
  const sessions = agents.length === 1 ? "1 session is" : `${agents.length} sessions are`;
  return `${sessions} not compared: no policy of ${[...new Set(agents)].sort().join(" or ")} is known.`;
}

/**
 * The check of one file; its agent if no policy of that is known, `null` for a session without an agent, and `undefined` if a folder held the file and
 * it is not a transcript.
 */
async function checkOf(
  runner: TaskRunner,
  { path, named }: ListedFile,
  checkOptions: NonNullable<IngestTask["fidelity"]>,
): Promise<CheckedFile | string | null | undefined> {
  try {
    const task = { summaryOnly: true, fidelity: checkOptions };
    const { summary } = await withInputFile(path, (input) => runner.run("ingest", { ...input, ...task }));
    return checkedFile(summary) ?? profileOf(summary.agent)?.label ?? null;
  } catch (error) {
    if (!named && isInputError(error) && SKIPPED_CODES.has(error.code)) return undefined;
    throw error;
  }
}

/** Error codes of a file in a folder that is not a transcript. */
const SKIPPED_CODES: ReadonlySet<InputErrorCode> = new Set(["empty", "binary", "unknown-format", "other-program"]);

/** Checks that every setting belongs to some agent's policy. Throws `CliError`. */
function requireKnownKeys(keys: readonly string[]): void {
  const known = new Set(
    agentPolicies().flatMap((policy) =>
      policy.presets.flatMap((preset) => sessionlessSettings(policy, preset, 200_000).map(({ key }) => key)),
    ),
  );
  const unknown = keys.find((key) => !known.has(key));
  if (unknown !== undefined) throw new CliError(EXIT.badArguments, `no agent's policy has a setting ${unknown}.`);
}
