import type { Answer, JsonName } from "@/lib/queries/contract/types";
import { inOrder } from "@/lib/server/base/in-order";
import { type ReadingOptions, withSession } from "../input/session-file";
import { EXIT, type ExitCode, exitCodeOf } from "../process/exit";
import { writeAnswer } from "../text/output";

/** Computes a session's answer to a query. */
type AnswerOf<Name extends JsonName> = (
  ...opened: Parameters<Parameters<typeof withSession>[2]>
) => Promise<Answer<Name>>;

/** Prints the answers of sessions to one query, in the order of their files. Reports unreadable files and continues. */
export async function answerEach<Name extends JsonName>(
  files: readonly string[],
  options: ReadingOptions & { readonly json?: boolean },
  query: AnswerOf<Name>,
  text: (answer: Answer<Name>) => string,
): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  for await (const answer of inOrder(files, (file) => withSession(file, options, query))) {
    if (answer instanceof Error) exitCode = exitCodeOf(answer);
    else await writeAnswer<Name>(answer, options, (one) => `${text(one)}\n`);
  }
  return exitCode;
}
