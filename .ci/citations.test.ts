import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

// Plain JavaScript, as the other checks are.
const { lostCitations, lostIn, notesOf } = (await import("./citations.mjs" as string)) as {
  lostCitations: (root: string) => string[];
  lostIn: (notes: string, file: string, root: string) => string[];
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
])("%s", (text, expected) => {
  const found = lostIn(notesOf(text), "lib/core/example.ts", process.cwd());
  if (typeof expected === "number") expect(found).toHaveLength(expected);
  else expect(found).toEqual(expected);
});

test("a part of an agent's folder finds the dossier above it", () => {
  expect(lostIn('README.md, "Tokens"', "verify/agents/clawdcode/run.ts", process.cwd())).toEqual([]);
  expect(lostIn("README.md", "lib/core/example.ts", "/nowhere")).toEqual(["README.md"]);
});

test("every module that ARCHITECTURE.md names is there", () => {
  const modules = ["app", "bin", "scripts", "components", "e2e", "lib", "page", ".ci"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `/${folder}/${name}`),
  );
  const named = readFileSync("ARCHITECTURE.md", "utf8").matchAll(/`([\w./-]+\.(?:tsx?|mjs))`/g);
  modules.push(...readdirSync(".").map((name) => `/${name}`));
  const lost = Array.from(named, ([, name = ""]) => name).filter(
    (name) => !modules.some((one) => one.endsWith(`/${name}`)),
  );
  expect(lost).toEqual([]);
});
