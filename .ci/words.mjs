// Checks the wording of comments in the folders below. Clean one more folder, then add it here.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Folders whose comments follow the rules, subfolders included. */
const CLEAN = [
  "lib/core/base",
  "lib/core/records",
  "lib/core/tokens",
  "lib/core/columns",
  "lib/core/context",
  "lib/core/transcript",
  "lib/core/compaction",
  "lib/core/prices",
  "lib/core/cost",
  "lib/core/analysis",
  "lib/core/advice",
  "lib/core/refetch",
  "lib/core/metrics",
  "lib/core/bundle",
  "lib/core/testing",
  "lib/agents/openclaw",
  "lib/agents/opencode",
  "lib/agents/pi",
  "lib/agents/qwen-code",
  "lib/agents/entry-tree",
  "lib/cli",
  "lib/agents/_skeleton",
  "lib/agents/api-log",
  "lib/agents/atif",
  "lib/agents/chat",
  "lib/agents/claude-code",
  "lib/agents/clawdcode",
  "lib/agents/gemini-cli",
  "lib/agents/mini-claude-code",
  "lib/agents/shared",
  "lib/queries",
  "lib/server",
  "lib/sandbox",
  "lib/library",
  "lib/policy-check",
  "lib/agents/codex",
  "components/session",
];

/** Doc comments name their noun: a clause in its place needs a second reading. */
const CLAUSE = /^\/\*\*[\s*]*((?:What|Whether|How|Who|That)\b)/;

/** Phrases that have a plain word, such as "caller" for "whoever asks" and "re-fetched" for "needed again". */
const PHRASES = new RegExp(
  `\\b(?:${[
    ...[
      "whoever",
      "who asks",
      "somebody",
      "as it is now",
      "is told of",
      "told of",
      "at the latest",
      "of its own accord",
    ],
    ...["needed again", "bought again", "draws? anew", "drawn anew", "the dearest", "dossiers?", "stands? beside"],
    ...["lens", "lenses", "put aside", "best times"],
  ].join("|")})\\b`,
  "gi",
);

/** Titles of cited sections and names in code keep their words. */
const CITED = /\.md, "[^"]*"|`[^`]*`/g;

/** Comments of a source: blocks at the beginning of a line, and runs of lines. */
const COMMENT = /^[ \t]*\/\*[\s\S]*?\*\/|(?:^|(?<=\s))\/\/ .*(?:\n[ \t]*\/\/ .*)*/gm;

/**
 * Comments that break a rule, as `line: words`.
 * @param {string} source
 */
export function unclearWords(source) {
  return [...source.matchAll(COMMENT)].flatMap(({ 0: comment, index }) => {
    const text = comment.trim();
    const line = source.slice(0, index).split("\n").length;
    const [, clause] = CLAUSE.exec(text) ?? [];
    const plain = text.replaceAll(/\s*\n\s*(?:\*|\/\/) ?/g, " ");
    const phrases = plain.replaceAll(CITED, "").match(PHRASES) ?? [];
    return (clause === undefined ? phrases : [`begins with ${clause}`, ...phrases]).map((words) => `${line}: ${words}`);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = CLEAN.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name)),
  ).filter((file) => /\.tsx?$/.test(file));
  const found = files.flatMap((file) => unclearWords(readFileSync(file, "utf8")).map((words) => `${file}:${words}`));
  for (const words of found) console.error(words);
  console.log(`${files.length} files, ${found.length} unclear comments`);
  process.exitCode = files.length > 0 && found.length === 0 ? 0 : 1;
}
