import type { SourceEntry, SourceProblem } from "@/lib/queries/contract/schemas";

/** Maximum listed problems and files per source. */
export const LISTED = 20;

/** The files of a source that could not be read as sessions. */
export type Failed = Pick<SourceEntry, "failed" | "failedTotal">;
type Problems = Pick<SourceEntry, "problems" | "problemsTotal">;

export const NO_PROBLEMS: Problems & Failed = { problems: [], problemsTotal: 0, failed: [], failedTotal: 0 };

/** Unreadable paths of a source. */
export function listedProblems(problems: readonly SourceProblem[]): Problems {
  return { problems: problems.slice(0, LISTED), problemsTotal: problems.length };
}

/** The meaning of a file system error for the user; `undefined` for a path that has just vanished. */
export function problemCode(error: unknown): SourceProblem["code"] | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOENT" || code === "ENOTDIR") return undefined;
  if (code === "EACCES" || code === "EPERM") return "no-permission";
  return code === "ELOOP" ? "cycle" : "unreadable";
}
