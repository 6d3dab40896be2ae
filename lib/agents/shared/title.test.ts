import { expect, test } from "vitest";
import { noSubjectOf, shownTitle } from "@/lib/core/transcript/title";
import { promptTitle, titleOf } from "./title";

test("a title is the first line that is not blank, cut to the maximum length", () => {
  expect(titleOf("\n \t\n  Fix the build  \nand more")).toBe("Fix the build");
  expect(titleOf("x".repeat(200))).toBe("x".repeat(80));
  expect([titleOf(""), titleOf(" \n "), titleOf(undefined), titleOf(5)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("a title is cut between characters, and taken from the beginning of the text", () => {
  expect(titleOf(`${"x".repeat(79)}🙂`)).toBe("x".repeat(79));
  expect(titleOf(`${"x".repeat(78)}🙂`)).toBe(`${"x".repeat(78)}🙂`);
  expect(titleOf(`${"\n".repeat(3000)}late`)).toBeUndefined();
});

test.each([
  ["Implement the following plan:\n\n# Plan: a tree view\n\nSteps", "Plan: a tree view"],
  ["请实现以下计划：\n## 登录页改版", "登录页改版"],
  ["---\n[REDACTED]\n[REDACTED_TEXT len=29 sha=74dc]\nFix the build", "Fix the build"],
  ["REDACTED\n- **Sort** the pears", "Sort** the pears"],
  ["Sort the REDACTED pears", "Sort the REDACTED pears"],
  ["```\n> quoted words", "quoted words"],
  ["Only an introduction:", "Only an introduction:"],
  ["[REDACTED]", "[REDACTED]"],
  ["修", "修"],
  ["...", "..."],
])("%j is titled %j, its first meaningful line", (text, title) => expect(titleOf(text)).toBe(title));

test("an ellipsis marks a cut title", () => {
  expect(shownTitle(titleOf("x".repeat(200)) ?? "")).toBe(`${"x".repeat(80)}…`);
  expect(shownTitle(titleOf(`${"x".repeat(79)} and more`) ?? "")).toBe(`${"x".repeat(79)}…`);
  expect(shownTitle(titleOf("x".repeat(79)) ?? "")).toBe("x".repeat(79));
  // An agent's own title may be longer: we did not cut it.
  expect(shownTitle("x".repeat(200))).toBe("x".repeat(200));
});

test.each([
  [["/mode", "Fix the build", "And the tests"], "Fix the build"],
  [["Warmup", "<bash-notification>exit 0</bash-notification>", "修复构建"], "修复构建"],
  [["/review the last commit", "Fix the build"], "/review the last commit"],
  [["/mode", "/exit"], "/mode"],
  [["", "/exit"], "/exit"],
  [["Fix the build", "/exit"], "Fix the build"],
  [["Fix the build", "And the tests"], "Fix the build"],
  [["[REDACTED_TEXT len=3021 sha=dc9e82a0]", "Fix the build"], "Fix the build"],
  [["warm up", '<task-notification id="3">', "Fix the build"], "Fix the build"],
  [["<h1> is too large", "Fix the build"], "<h1> is too large"],
  [["[REDACTED]", "Warmup"], "[REDACTED]"],
])("a session with the prompts %j is named %j", (prompts, title) => {
  expect(prompts.reduce<string | undefined>(promptTitle, undefined)).toBe(title);
});

test.each([
  ["/mode", "command"],
  ["Warmup", "warm-up"],
  ["warm-up.", "warm-up"],
  ["<bash-notification>exit 0</bash-notification>", "notification"],
  ["<environment_context>", "notification"],
  ["[REDACTED]", "masked"],
  ["[REDACTED_TEXT len=29 sha=74dc]", "masked"],
  ["REDACTED", "masked"],
  ["/review the last commit", undefined],
  ["Warm up the cache of the shop", undefined],
  ["<h1> is too large", undefined],
  ["Sort the REDACTED pears", undefined],
  ["...", undefined],
  ["修", undefined],
])("%j states no subject: %j", (title, kind) => expect(noSubjectOf(title)).toBe(kind));
