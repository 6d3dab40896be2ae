import { expect, test } from "vitest";
import { worktreeOf } from "./worktree";

test.each([
  ["/home/me/cli", "/home/me/cli", "/home/me/cli"],
  ["/home/me/cli/src/lib", "/home/me/cli", "/home/me/cli"],
  ["/home/me/cli-2", "/home/me/cli", "/home/me/cli-2"],
  ["/tmp", "/home/me/cli", "/tmp"],
  ["/home/me/cli/.worktrees/3/src", "/home/me/cli", "/home/me/cli/.worktrees/3"],
  [
    "/home/me/cli/.claude/worktrees/fix/app/x",
    "/home/me/cli/.claude/worktrees/fix/app",
    "/home/me/cli/.claude/worktrees/fix",
  ],
  ["/home/me/.codex/worktrees/ab12/cli/src", undefined, "/home/me/.codex/worktrees/ab12/cli"],
  ["/home/me/cli/.worktrees", "/home/me/cli", "/home/me/cli"],
  ["C:\\work\\cli\\.worktrees\\3\\src", "C:\\work\\cli", "C:\\work\\cli\\.worktrees\\3"],
  ["C:\\work\\cli\\src", "C:\\work\\cli", "C:\\work\\cli"],
  ["/src", "/", "/src"],
])("the worktree of %s in a session of %s is %s", (folder, session, worktree) => {
  expect(worktreeOf(folder, session)).toBe(worktree);
});
