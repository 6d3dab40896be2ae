import { existsSync, readFileSync, statSync } from "node:fs";
import os from "node:os";
import { markdownTable } from "../support/table";
import { TARGETS, type Target } from "./groups";
import { resultsFile } from "./run";

/** The part of Stryker's report that we read. */
interface MutationResults {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { readonly status: string }[] }>>;
}

/** How many mutants of a file, or of all files, had each outcome. */
export interface Score {
  readonly killed: number;
  readonly survived: number;
  /** Mutants in code that none of the tests reaches; they count as survivors. */
  readonly uncovered: number;
}

/** Scores by the file's path below `lib`. */
export type Scores = ReadonlyMap<string, Score>;

/**
 * Makes the report from the former one and the last runs of these targets. Their files' rows are replaced; other rows and the handwritten
 * text below the table stay. Targets that have not run yet change nothing. Throws if nothing ever ran.
 */
export function mutationReport(targets: readonly Target[], former: string): string {
  const run = targets.filter((target) => existsSync(resultsFile(target)));
  const scores = new Map([...scoresIn(former), ...run.flatMap(scoresOf)]);
  const dates = run.map((target) => statSync(resultsFile(target)).mtime.toISOString().slice(0, 10));
  const date = dates.sort().at(-1) ?? former.match(/\d{4}-\d\d-\d\d/)?.[0];
  return [
    "# Mutation testing of the exact rules",
    "",
    `${os.cpus()[0]?.model ?? "unknown processor"}, ${os.availableParallelism()} cores, Node ${process.version}, ${date}. Stryker 9.6.1, one mutant at a time.`,
    "",
    "Each mutant is one small change of an estimator, a truncation, a pairing or a cut point. Killed: a test fails, or does not come to its end. Repeat it",
    "with `npm run bench make-mutation-report` (all), or with the names of groups (`bench/mutation/groups.ts`) or of files: their rows are replaced.",
    "",
    scoreTable(scores),
    "",
    ...notesOf(former),
  ].join("\n");
}

/** The table of all mutated files, followed by the files that never ran. */
export function scoreTable(scores: Scores): string {
  const files = TARGETS.flatMap((target) => target.files).map((file) => file.replace("lib/", ""));
  const rows = files.flatMap((file) => {
    const score = scores.get(file);
    return score === undefined ? [] : [[file, score] as const];
  });
  const missing = files.filter((file) => !scores.has(file));
  const total = rows.map(([, score]) => score).reduce(sum);
  const table = markdownTable(
    ["", "mutants", "killed", "survived", "no test", "killed, %"],
    [...rows, ["**total**", total] as const].map(([name, score]) => line(name, score)),
  );
  return missing.length === 0 ? table : `${table}\n\nNot run: ${missing.join(", ")}.`;
}

/** Reads the scores from a report's table. */
export function scoresIn(report: string): Scores {
  const rows = report.matchAll(/^\| (\S+\.ts) \| \d+ \| (\d+) \| (\d+) \| (\d+) \|/gm);
  return new Map(
    [...rows].map(([, file = "", killed, survived, uncovered]) => [
      file,
      { killed: Number(killed), survived: Number(survived), uncovered: Number(uncovered) },
    ]),
  );
}

/** The handwritten chapters of a report. */
function notesOf(report: string): readonly string[] {
  const at = report.indexOf("\n## ");
  return at < 0 ? [] : [report.slice(at + 1)];
}

function scoresOf(target: Target): (readonly [string, Score])[] {
  // The file follows the mutation testing report schema.
  const { files } = JSON.parse(readFileSync(resultsFile(target), "utf8")) as MutationResults;
  return target.files.map((file) => [file.replace("lib/", ""), scoreOf(files[file]?.mutants ?? [])] as const);
}

function scoreOf(mutants: readonly { readonly status: string }[]): Score {
  const of = (...statuses: readonly string[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
  return { killed: of("Killed", "Timeout"), survived: of("Survived"), uncovered: of("NoCoverage") };
}

function sum(a: Score, b: Score): Score {
  return { killed: a.killed + b.killed, survived: a.survived + b.survived, uncovered: a.uncovered + b.uncovered };
}

function line(name: string, { killed, survived, uncovered }: Score): string[] {
  const all = killed + survived + uncovered;
  const share = all === 0 ? "n/a" : ((killed * 100) / all).toFixed(1);
  return [name, ...[all, killed, survived, uncovered].map(String), share];
}
