import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

/** Every name in the collected descriptions of a format is either read, or listed in the agent notes as not needed. */
const SHARED = join(process.cwd(), "../shared");
const SYSTEMS = join(SHARED, "systems");
const NOTES = join(SHARED, "transcripts", "NOTES.md");

/** Beginnings of the headings of sections about records. The other sections are about sizes and rules. */
const ABOUT_RECORDS: Readonly<Record<string, readonly string[]>> = {
  "claude-code": ["## 1. ", "## 2. ", "### Usage", "### Tree", "## 3. ", "## 6. "],
  codex: ["## 10. "],
  "gemini-cli": ["## 3. ", "### 4.3 "],
  opencode: ["## 7. "],
  openclaw: ["## 8. "],
  pi: ["## 8. ", "### 9.4 "],
  "qwen-code": ["## 4. ", "### 6.7 ", "### 6.8 "],
  clawdcode: ["## 1. ", "## 8. "],
};

/** Sections of the notes on recordings: the keys in their examples are checked. */
const IN_NOTES: Readonly<Record<string, string>> = {
  "claude-code": "## 2. ",
  codex: "## 3. ",
  "qwen-code": "## 4. ",
  "gemini-cli": "## 5. ",
  pi: "## 6. ",
  openclaw: "## 6. ",
  opencode: "## 7. ",
};

/** Names in those sections that are not fields of a record. */
const NO_FIELDS = new Set([
  ...["replaceMessages", "saveToolResult", "saveToolUse"],
  // Names that the program gives to its own rules.
  ...["build_compacted_history", "drop_last_n_user_turns", "replacement_history", "response_items", "token_counts"],
  // Columns of databases, which we do not read.
  ...["cache_read", "cache_write", "message_id", "parent_id", "project_id", "session_id", "session_message"],
  ...["time_created", "time_updated", "tokens_input"],
  // Words of the notes, and names invented by a program or an extension.
  ...[
    "tool_results",
    "compact_summary",
    "iFlow",
    "codex_cli_rs",
    "agent_end",
    "ses_336ebe11b",
    "ses_3370e2add",
    "rewindTo",
  ],
  // Colours of a screen, totals of other outputs, and contents of tool results.
  ...["bg", "bold", "dim", "fg", "inverse", "isUninitialized", "italic", "underline", "duration_ms", "input_tokens"],
  ...["output_tokens", "additions", "deletions", "itemId", "loaded", "preview"],
]);

function sectionsOf(text: string, headings: readonly string[]): string {
  return text
    .split(/^(?=#{1,3} )/m)
    .filter((part) => headings.some((heading) => part.startsWith(heading)))
    .join("\n");
}

/** The words of a text that are spelled like a field or a type: `camelCase` and `snake_case`. */
function identifiers(text: string): readonly string[] {
  const words = text.replace(/<[^<>\n]*>/g, "").match(/\b[a-z][a-z0-9]+(?:[A-Z_][A-Za-z0-9]*)+\b/g) ?? [];
  // A word with `__` is the name of a file; one that ends in `_` is a prefix that several names share.
  return words.filter((word) => !/__|_$/.test(word));
}

/** The keys in the examples of the notes. */
function keys(text: string): readonly string[] {
  return [...text.matchAll(/"([A-Za-z$_][\w.$-]*)":/g)].map(([, key = ""]) => key);
}

const PROOFS = join(import.meta.dirname, "..", "..", "verify", "agents");

/** All texts about an agent: its notes and code, its checks in `verify`, and the folder of a format that it shares with another agent. */
function wordsOf(agent: string): string {
  const own = textIn(join(import.meta.dirname, agent));
  const shared = /from "(?:\.\.\/)+entry-tree\//.test(own) ? [textIn(join(import.meta.dirname, "entry-tree"))] : [];
  return [own, textIn(join(PROOFS, agent)), ...shared].join("\n");
}

function textIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const read = files.filter((file) => /^README\.md$|^(?!.*\.test\.).*\.ts$/.test(file));
  return read.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
}

function notNamed(agent: string, names: readonly string[]): readonly string[] {
  const words = new Set(
    wordsOf(agent)
      .match(/[\w$.]+/g)
      ?.flatMap((word) => [word, ...word.split(".")]),
  );
  return [...new Set(names)].filter((name) => !words.has(name) && !NO_FIELDS.has(name)).sort();
}

describe.skipIf(!existsSync(SYSTEMS))("the notes or code of an agent name every record type and field", () => {
  test.each(Object.entries(ABOUT_RECORDS))("found in the description of %s", (agent, headings) => {
    const names = identifiers(sectionsOf(readFileSync(join(SYSTEMS, `${agent}.md`), "utf8"), headings));
    expect(names.length).toBeGreaterThan(5);
    expect(notNamed(agent, names)).toEqual([]);
  });

  test.each(Object.entries(IN_NOTES))("found in the recordings of %s", (agent, heading) => {
    const text = readFileSync(NOTES, "utf8");
    const section = text.split(/^(?=## )/m).find((part) => part.startsWith(heading)) ?? "";
    const names = [...keys(section), ...identifiers(section.replace(/`[^`\n]*`/g, "").replace(/^\{.*$/gm, ""))];
    expect(names.length).toBeGreaterThan(5);
    expect(notNamed(agent, names)).toEqual([]);
  });
});
