import { expect, test } from "vitest";

// Plain JavaScript, as the other checks are.
const { lostCitations, lostIn, lostPaths, lostPathsIn, notesOf } = (await import("./citations.mjs" as string)) as {
  lostCitations: (root: string) => string[];
  lostIn: (notes: string, file: string, root: string) => string[];
  lostPaths: (root: string) => string[];
  lostPathsIn: (text: string, files: readonly string[]) => string[];
  notesOf: (text: string) => string;
};

test("every document and heading that a source note names is in the repository", () => {
  expect(lostCitations(process.cwd())).toEqual([]);
});

test.each([
  ['/** Text. Source: rules.md, "Tokens". */', ["rules.md"]],
  ['  // A remark. Source: docs/method.md, "No such heading".', ['docs/method.md, "No such heading"']],
  ['/**\n * Source: docs/method.md, "The overhead\n * that is not in the file" and "Nowhere".\n */', 1],
  ['const source = { text: "systems/agent.md §4" };', ["systems/agent.md"]],
  ['/** Source: docs/method.md, "Counting" and "Simulating"; CONTRIBUTING.md, "Vocabulary". */', []],
  ["/** The workspace's AGENTS.md, and minorcell/mini-claude-code, docs/context.md. */", []],
  ['const file = "notes.md";', []],
])("citations without a target are found in: %s", (text, expected) => {
  const found = lostIn(notesOf(text), "lib/core/example.ts", process.cwd());
  if (typeof expected === "number") expect(found).toHaveLength(expected);
  else expect(found).toEqual(expected);
});

test("the agent notes of a file are those in a folder above it", () => {
  expect(lostIn('README.md, "Tokens"', "verify/agents/clawdcode/run.ts", process.cwd())).toEqual([]);
  expect(lostIn("README.md", "lib/core/example.ts", "/nowhere")).toEqual(["README.md"]);
});

test("every path in backticks in the documents exists", () => {
  expect(lostPaths(process.cwd())).toEqual([]);
});

test.each([
  ["a file", "`lib/core/base/units.ts`", []],
  ["a folder", "`lib/core/`", []],
  ["any name", "`lib/agents/<id>/server.ts` and `*/policy.test.ts`", []],
  ["a path without its first folders", "`base/units.ts`, `units.ts`", []],
  ["a link's text", "[`lib/core/base/units.ts`](../units.ts)", []],
  ["a missing file", "`lib/core/base/unit.ts`", ["lib/core/base/unit.ts"]],
  ["a missing folder", "`lib/cores/`", ["lib/cores"]],
  ["a missing file of any name", "`lib/agents/<id>/serve.ts`", ["lib/agents/<id>/serve.ts"]],
  ["a name that only ends like a file", "`its.ts`", ["its.ts"]],
  ["a block of code", "```\n`lib/cores/`\n```", []],
  ["a word with a slash", "`a/b`, `text/html`", []],
])("the check of paths in backticks handles %s", (_what, text, expected) => {
  const files = ["lib/core/base/units.ts", "lib/agents/pi/server.ts", "lib/agents/pi/policy/policy.test.ts"];
  expect(lostPathsIn(text, files)).toEqual(expected);
});
