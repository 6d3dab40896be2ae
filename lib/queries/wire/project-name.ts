import { worktreeParts } from "@/lib/core/base/worktree";

/**
 * A project's name for lists: the last part of a Unix or Windows path; in a worktree, the path from the repository's folder, because a worktree's
 * folder may be called just `1`. A plain name stays unchanged.
 */
export function projectName(path: string): string {
  const { parts, holder } = worktreeParts(path);
  const repository = parts[holder - 1]?.startsWith(".") === true ? holder - 2 : holder - 1;
  // Codex keeps the worktrees of all repositories in its own folder, each under its repository's name.
  const isInRepository = repository >= 0 && parts[holder - 1] !== ".codex";
  return (isInRepository ? parts.slice(repository).join("/") : parts.at(-1)) ?? path;
}
