import type { SourceEntry, SourceProblem } from "@/lib/queries/contract/schemas";

/** How many problems and files of a source are told one by one. */
export const TOLD = 20;

/** The files of a source that could not be read as sessions. */
export type Failed = Pick<SourceEntry, "failed" | "failedTotal">;
type Problems = Pick<SourceEntry, "problems" | "problemsTotal">;

/** A source with which nothing is wrong. */
export const NO_PROBLEMS: Problems & Failed = { problems: [], problemsTotal: 0, failed: [], failedTotal: 0 };

/** What could not be looked at, as a source tells it. */
export function toldProblems(problems: readonly SourceProblem[]): Problems {
  return { problems: problems.slice(0, TOLD), problemsTotal: problems.length };
}

/** What an error of the file system means for somebody who looks for sessions; `undefined` where something has only just gone. */
export function problemCode(error: unknown): SourceProblem["code"] | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return undefined;
  if (code === "EACCES" || code === "EPERM") return "no-permission";
  return code === "ELOOP" ? "cycle" : "unreadable";
}
