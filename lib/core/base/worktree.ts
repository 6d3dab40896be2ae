/** Folder that holds worktrees, as tools name it: `cli/.worktrees/3`, `cli/.claude/worktrees/fix-login`. */
const WORKTREES = /^\.?worktrees?$/u;

/** Parts of a Unix or Windows path, with the index of the folder that holds its worktree; −1 for a path that is in none. */
export function worktreeParts(path: string): { readonly parts: readonly string[]; readonly holder: number } {
  const parts = path.split(/[\\/]/u).filter((part) => part !== "");
  const holder = parts.findLastIndex((part) => WORKTREES.test(part));
  return { parts, holder: holder < parts.length - 1 ? holder : -1 };
}

/**
 * Worktree of a working folder: the worktree's own folder if the path names one, else the session's folder if the path lies in it, else the path.
 * @param session the folder in which the session began
 */
export function worktreeOf(folder: string, session: string | undefined): string {
  const { parts, holder } = worktreeParts(folder);
  if (holder >= 0) {
    // Codex keeps the worktrees of all repositories in its own folder, each under its repository's name.
    const depth = parts[holder - 1] === ".codex" ? 2 : 1;
    return cutAfter(folder, parts.slice(0, holder + 1 + depth).length);
  }
  if (session === undefined) return folder;
  return folder === session || isBelow(folder, session) ? session : folder;
}

/** The path without the parts after the first `count`. */
function cutAfter(path: string, count: number): string {
  let seen = 0;
  for (const { 0: part, index } of path.matchAll(/[^\\/]+/gu))
    if (++seen === count) return path.slice(0, index + part.length);
  return path;
}

function isBelow(folder: string, session: string): boolean {
  let end = session.length;
  while (end > 0 && /[\\/]/u.test(session[end - 1] ?? "")) end -= 1;
  const root = session.slice(0, end);
  return root !== "" && folder.startsWith(root) && /^[\\/]/u.test(folder.slice(root.length));
}
