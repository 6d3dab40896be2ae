import { COMPARED_RUNS, type CompareAnswer, type CountingMode } from "@/lib/api/contract";
import { isBest } from "@/lib/core/figures/difference";
import { figureOf } from "@/lib/core/figures/values";
import { compareSession } from "@/lib/server/questions";
import { type RunArgument, splitPreset } from "./arguments";
import { countedText } from "./counting-text";
import { CliError, EXIT } from "./exit";
import { figureText } from "./figure-text";
import { write } from "./output";
import { printable } from "./printable";
import { profileFile } from "./profile-file";
import { type CountingOptions, type ReadingOptions, withSession } from "./session-file";

/** What holds for all of the policies. */
export interface CompareOptions extends ReadingOptions, CountingOptions {
  readonly counting?: CountingMode;
  readonly json?: boolean;
}

/** `compare FILE`: the session under several policies. */
export async function compare(file: string, given: readonly RunArgument[], options: CompareOptions): Promise<void> {
  if (given.length < COMPARED_RUNS.least || given.length > COMPARED_RUNS.most) {
    throw new CliError(
      EXIT.badArguments,
      `a comparison takes ${COMPARED_RUNS.least} to ${COMPARED_RUNS.most} policies.`,
    );
  }
  const { json, format, session: part, overhead, estimator, window, counting } = options;
  const profile = await profileFile(overhead, [file]);
  const runs = given.map(({ policy, settings }) => {
    const { id, preset } = splitPreset(policy);
    return { policy: id, preset, settings, estimator, window, counting };
  });
  const answer = await withSession({ file, format, session: part }, (session) =>
    compareSession(session, { runs }, profile),
  );
  await write(json ? lines(answer) : readable(answer));
}

/** A run a line, the difference and what is to be said of it last. */
function lines({ runs, ...rest }: CompareAnswer): string {
  return [...runs, rest].map((one) => `${JSON.stringify(one)}\n`).join("");
}

const HEAD = 22;
const COLUMN = 24;

function readable({ runs, difference, remarks }: CompareAnswer): string {
  const names = runs.map((run) => `${run.policy}@${run.preset}  `);
  const rows = difference.map((one) => {
    const unit = figureOf(one.metric)?.unit ?? "count";
    const cells = one.values.map((value, run) => `${figureText(unit, value)}${isBest(one, run) ? " *" : "  "}`);
    return row(one.metric, cells);
  });
  const counted = runs.map((run) => `${countedText(run)}  `);
  // An agent's presets may count by rules of their own.
  const estimators = runs.map((run) => `${run.estimator}  `);
  const rules = new Set(estimators).size > 1 ? [row("token rule", estimators)] : [];
  const note =
    "* the best; the recorded trajectory is held fixed, under another policy the agent would have gone on differently.";
  return `${[row("", names), row("counted by", counted), ...rules, ...rows, ...remarks.map(({ text }) => text), note].map(printable).join("\n")}\n`;
}

function row(head: string, cells: readonly string[]): string {
  return `${head.padEnd(HEAD)}${cells.map((cell) => cell.padStart(COLUMN)).join("")}`.trimEnd();
}
