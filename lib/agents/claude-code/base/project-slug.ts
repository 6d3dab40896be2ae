/**
 * Name of the folder below `~/.claude/projects` that holds a project's sessions: every UTF-16 unit outside `[A-Za-z0-9]` becomes a dash. This
 * cannot be reversed, but the records name the folder. Very long paths may be shortened by a rule that is not known. Source:
 * anthropics/claude-code#70076, #45718, #24067.
 */
export function projectSlug(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, "-");
}
