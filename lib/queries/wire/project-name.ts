/** The folder of a repository that holds its worktrees, as tools name it: `cli/.worktrees/3`, `cli/.claude/worktrees/fix-login`. */
const WORKTREES = /^\.?worktrees?$/u;

/**
 * A project's name for lists: the last part of a Unix or Windows path; in a worktree, the path from the repository's folder, because a worktree's
 * folder may be called just `1`. A plain name stays unchanged.
 */
export function projectName(path: string): string {
  const parts = path.split(/[\\/]/u).filter((part) => part !== "");
  const worktrees = parts.findLastIndex((part) => WORKTREES.test(part));
  const repository = parts[worktrees - 1]?.startsWith(".") === true ? worktrees - 2 : worktrees - 1;
  // Codex keeps the worktrees of all repositories in its own folder, each under its repository's name.
  const isInRepository = repository >= 0 && worktrees < parts.length - 1 && parts[worktrees - 1] !== ".codex";
  return (isInRepository ? parts.slice(repository).join("/") : parts.at(-1)) ?? path;
}
