import { expect, it } from "vitest";
import { SHIPPED_TOOLS } from "./shipped-tools";
import { toolKind } from "./tool-kinds";

it("the table finds tools of all agents by name in any letter case", () => {
  expect(["Bash", "exec_command", "run_shell_command"].map(toolKind)).toEqual(["shell", "shell", "shell"]);
  expect(["Edit", "apply_patch", "replace"].map(toolKind)).toEqual(["edit", "edit", "edit"]);
  expect(["TodoWrite", "update_plan", "todowrite"].map(toolKind)).toEqual(["tasks", "tasks", "tasks"]);
  expect(["AskUserQuestion", "ExitPlanMode", "Task"].map(toolKind)).toEqual(["question", "plan", "subagent"]);
  expect(["mcp__db__query", "constructor", ""].map(toolKind)).toEqual(["mcp", "other", "other"]);
});

it("the table contains nearly all tools built into agents", () => {
  const unknown = [...SHIPPED_TOOLS].filter((tool) => toolKind(tool) === "other");
  expect(unknown.sort()).toEqual(["batch", "canvas", "cron", "gateway", "message", "nodes", "save_memory"]);
});
