import { wasteOfSession } from "@/lib/queries/answers/session-answers";
import type { WasteAnswer } from "@/lib/queries/contract/schemas";
import { inOrder } from "@/lib/server/base/in-order";
import { isInputError } from "@/lib/server/base/input-error";
import { LocalRunner } from "@/lib/server/threads/local-runner";
import { noSessionIn, sessionFilesOf } from "../input/folder-files";
import { inheritedIn } from "../input/inherited";
import { profileFile } from "../input/profile-file";
import { type CountingOptions, type ReadingOptions, withSession } from "../input/session-file";
import { onceOnly } from "../input/standard-input";
import { EXIT, type ExitCode, exitCodeOf } from "../process/exit";
import { write, writeAnswer } from "../text/output";
import { wasteSumsText, wasteText } from "../text/waste-text";

export interface WasteOptions extends ReadingOptions, Pick<CountingOptions, "estimator" | "overhead"> {
  readonly json?: boolean;
}

/** `waste PATH…`: lists the tokens that each session wasted, and sums them over several. Reports unreadable files and continues. */
export async function waste(paths: readonly string[], options: WasteOptions): Promise<ExitCode> {
  onceOnly(paths);
  const files = await sessionFilesOf(paths);
  if (files.length === 0) throw noSessionIn(paths);
  const profile = await profileFile(options.overhead, paths);
  const { estimator } = options;
  const answers: { readonly path: string; readonly answer: WasteAnswer }[] = [];
  let exitCode: ExitCode = EXIT.done;
  let at = 0;
  const ask = (path: string) =>
    withSession(path, options, (session) => wasteOfSession(session, { estimator, profile }));
  for await (const answer of inOrder(files, ({ path }) => ask(path))) {
    const { path, named } = files[at++] ?? { path: "", named: true };
    if (answer instanceof Error) {
      // A file in a folder need not be a transcript.
      if (named || !isInputError(answer)) exitCode = exitCodeOf(answer);
      continue;
    }
    answers.push({ path, answer });
    await writeAnswer<"waste">(answer, options, (one) => `${wasteText(one)}\n`);
  }
  if (answers.length === 0 && exitCode === EXIT.done) throw noSessionIn(paths);
  if (options.json !== true && answers.length > 1) {
    const counted = await countedElsewhere(
      answers.map(({ path }) => path),
      options,
    );
    const own = answers.filter(({ path }) => !counted.has(path));
    await write(
      wasteSumsText(
        own.map(({ answer }) => answer),
        answers.length - own.length,
      ),
    );
  }
  return exitCode;
}

/** Files with requests that another file counts: their waste would count twice. */
async function countedElsewhere(paths: readonly string[], options: WasteOptions): Promise<ReadonlySet<string>> {
  const runner = new LocalRunner();
  try {
    const inherited = await inheritedIn(paths, options, runner);
    return new Set([...inherited].flatMap(([path, count]) => (count > 0 ? [path] : [])));
  } finally {
    await runner.close();
  }
}
