// Checks the wording of comments, test titles, messages and documents.
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Folders with sources, subfolders included. */
const SOURCES = ["lib", "components", "app", "page", "e2e", "verify", "bench", "scripts", ".ci", "bin"];

/** Documents, and folders with documents or messages. */
const PROSE = [
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
  ...["app/i18n/messages", "docs", "lib", "components", "e2e", "verify", "bench"],
];

/** Doc comments name their noun: a clause in its place needs a second reading. */
const CLAUSE = /^\/\*\*[\s*]*((?:What|Whether|How|Who|That)\b)/;

/** Phrases that have a plain word, such as caller, re-fetched, tab or hindsight optimum. */
const PHRASES = new RegExp(
  `\\b(?:${[
    ...["whoever", "who asks", "somebody", "as it is now", "is told of", "told of", "of its own accord"],
    ...["needed again", "needs again", "bought again", "anew", "afresh", "dearest", "dossiers?"],
    ...["stands? beside", "lens", "lenses", "put aside", "best times", "best schedules?", "in vain"],
    ...["cache breaks?", "broke the cache", "cannot be told(?! apart)", "do(?:es)? not tell"],
    // Comparisons keep their "no": "is no longer", "is no cheaper".
    ...["(?<!there )(?:is|are|was|were) no (?!longer|more|less|fewer|one|matter|different|use|\\w+er\\b)\\w+"],
  ].join("|")})\\b`,
  "gi",
);

/** Words of Chinese messages that replace the one term of a concept: 子智能体, 回放, 缓存未命中, token. */
const CHINESE = /子代理|重放|缓存失效|(?<![{\w.])tokens\b/g;

/** Titles of cited sections and names in code keep their words. */
const CITED = /\.md, "[^"]*"|`[^`]*`/g;

/** A heading names its subject. */
const CLAUSE_HEADING = /^#+ (What(?!-if)|Whether|Who|That)\b(?!.*[?…]$)/;

/** Titles of tests, their groups and their steps. */
const TITLE =
  /(?:(?<![.\w])(?:test|it|describe|step)(?:\.\w+)*\(\s*|\](?: as const)?,?\s*\)\(\s*|^\)\(\s*)(["'`])((?:\\.|(?!\1)[^\n\\])*)\1/gm;

/** A title names its subject, too. */
const CLAUSE_TITLE = /^(?:what(?!-if)|whether|who|how|that)\b/i;

/**
 * @param {string} text
 * @param {RegExp} [banned]
 */
const phrases = (text, banned = PHRASES) => text.replaceAll(CITED, "").match(banned) ?? [];

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
    const found = phrases(plain);
    return (clause === undefined ? found : [`begins with ${clause}`, ...found]).map((words) => `${line}: ${words}`);
  });
}

/**
 * Titles of tests that break a rule, as `line: words`.
 * @param {string} source
 */
export function unclearTitles(source) {
  return [...source.matchAll(TITLE)].flatMap(({ 0: call, 2: title = "", index }) => {
    const line = source.slice(0, index + call.length).split("\n").length;
    const [clause] = CLAUSE_TITLE.exec(title) ?? [];
    const found = phrases(title);
    return (clause === undefined ? found : [`begins with ${clause}`, ...found]).map((words) => `${line}: ${words}`);
  });
}

/**
 * Phrases of a document, or of the values of a file of messages, as `line: words`.
 * @param {string} text
 * @param {boolean} [isChinese]
 */
export function unclearProse(text, isChinese = false) {
  const found = (line) => {
    const [, clause] = CLAUSE_HEADING.exec(line) ?? [];
    const banned = phrases(line.replace(/^\s*"[^"]*": /, ""), isChinese ? CHINESE : PHRASES);
    return clause === undefined ? banned : [`begins with ${clause}`, ...banned];
  };
  return text.split("\n").flatMap((line, index) => found(line).map((words) => `${index + 1}: ${words}`));
}

/**
 * Files and the files in folders whose names match.
 * @param {readonly string[]} places
 * @param {RegExp} name
 */
function filesIn(places, name) {
  const inside = (place) =>
    readdirSync(place, { recursive: true, encoding: "utf8" }).map((file) => path.join(place, file));
  return places
    .flatMap((place) => (statSync(place).isFile() ? [place] : inside(place)))
    .filter((file) => name.test(file));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sources = filesIn(SOURCES, /(?<!\bwords\.test)\.(?:tsx?|mjs)$/);
  const prose = filesIn(PROSE, /\.md$|messages\/.*\.json$/);
  const found = [
    ...sources.flatMap((file) => {
      const source = readFileSync(file, "utf8");
      return [...unclearWords(source), ...unclearTitles(source)].map((words) => `${file}:${words}`);
    }),
    ...prose.flatMap((file) =>
      unclearProse(readFileSync(file, "utf8"), file.includes("zh-CN")).map((words) => `${file}:${words}`),
    ),
  ];
  for (const words of found) console.error(words);
  console.log(`${sources.length + prose.length} files, ${found.length} unclear phrases`);
  process.exitCode = sources.length > 0 && prose.length > 0 && found.length === 0 ? 0 : 1;
}
