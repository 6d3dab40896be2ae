/** Documents that the project's own sources and documents cite, and whether a reader of the repository finds them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Files that agents find or write in a workspace: data, not sources. */
const WORKSPACE =
  /^(?:\S*\/)?(?:AGENTS|agents|CLAUDE|GEMINI|QWEN|SKILL|USER|TOOLS|SOUL|MEMORY|HEARTBEAT|SYSTEM_PROMPT|memory\/YYYY-MM-DD)\.md$/;

/** Documents of other repositories: the citation names the repository next to them. */
const UPSTREAM = [
  ...["docs/context.md", "docs/tools.md", "docs/08-context-management.md"],
  ...["templates/compact/prompt.md", "templates/compact/summary_prefix.md"],
  ...["rfcs/0001-trajectory-format.md", "src/platform/trajectory/ARCHITECTURE.md"],
];

const FOLDERS = [
  "app",
  "bench",
  "bin",
  "components",
  "docs",
  "e2e",
  "lib",
  "page",
  "public",
  "scripts",
  "verify",
  ".ci",
];
/** Data, and the examples of this check. */
const NOT_OURS = /(?:^|\/)(?:fixtures|goldens|node_modules|planted-\w+)\/|citations\.test\.ts$/;
const SOURCE = /\.(?:tsx?|mjs|css)$/;
const CITED = /(?<![\w/@-])((?:\.{1,2}\/)*[\w.@-]+(?:\/[\w.@-]+)*\.md)\b(?:, ("[^"]+"(?:(?:, | and )"[^"]+")*))?/g;

/**
 * Broken citations, as `file: citation`: a document that is not in the repository, or a heading that it does not have.
 * @param {string} root
 */
export function lostCitations(root) {
  return citingFiles(root).flatMap((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    return lostIn(SOURCE.test(file) ? notesOf(text) : withoutCode(text), file, root).map((lost) => `${file}: ${lost}`);
  });
}

/** Documents with paths of this repository. Agent notes also name files of the agent. */
const DOCUMENTS =
  /^(?:(?:ARCHITECTURE|CONTRIBUTING|README)\.md|docs\/.*\.md|(?:components|e2e|verify|lib\/[\w-]+)\/README\.md)$/;
/** A path in backticks; `<id>` and `*` in it match any name. */
const QUOTED = /`(?:\.\/)?([\w.@<>*[\]-]+(?:\/[\w.@<>*[\]-]+)*)\/?`/g;
const MODULE = /\.(?:tsx?|mjs|css)$/;
/** Modules of other repositories, and of the reader. */
const NOT_OUR_MODULES = ["contextCommand.ts", "providers/transform-messages.ts", "my-policy.mjs"];

/**
 * Paths in backticks that are not in the repository, as `document: path`.
 * @param {string} root
 */
export function lostPaths(root) {
  const files = allFiles(root);
  return files
    .filter((file) => DOCUMENTS.test(file))
    .flatMap((file) =>
      lostPathsIn(readFileSync(path.join(root, file), "utf8"), files).map((lost) => `${file}: ${lost}`),
    );
}

/**
 * Paths below one of our folders and names of modules, in backticks, that no file or folder has. They may leave out folders at the beginning.
 * @param {string} text
 * @param {string[]} files of the repository
 */
export function lostPathsIn(text, files) {
  const places = new Set(
    files.flatMap((file) => file.split("/").map((_name, at, names) => names.slice(0, at + 1).join("/"))),
  );
  const quoted = Array.from(withoutCode(text).matchAll(QUOTED), ([, name = ""]) => name);
  return quoted.filter((name) => {
    const isOurs = MODULE.test(name) || FOLDERS.some((folder) => name.startsWith(`${folder}/`));
    if (!isOurs || places.has(name) || UPSTREAM.includes(name) || NOT_OUR_MODULES.includes(name)) return false;
    const literals = name.split(/<\w+>|\*+/).map((part) => part.replaceAll(/[.[\]]/g, "\\$&"));
    const form = new RegExp(`(?:^|/)${literals.join("[^/]+")}$`);
    return ![...places].some((place) => form.test(place));
  });
}

/** Files that may cite, and the documents at the root. */
function citingFiles(root) {
  return allFiles(root).filter((name) => (SOURCE.test(name) || name.endsWith(".md")) && !NOT_OURS.test(name));
}

/** Files of the repository, by their paths. */
function allFiles(root) {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  return [...readdirSync(root), ...below].map((name) => name.replaceAll("\\", "/")).sort();
}

/**
 * Places where a source may cite: its comments, and the sources of numbers and settings.
 * @param {string} text
 */
export function notesOf(text) {
  const blocks = text.match(/^[ \t]*\/\*[\s\S]*?\*\//gm) ?? [];
  const lines = text.match(/(?:^|\s)\/\/ .*$/gm) ?? [];
  const sources = text.match(/\b(?:text|source): (?:"[^"]*"|`[^`]*`)/g) ?? [];
  return [...blocks, ...lines, ...sources].map((note) => note.replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, " ")).join("\n");
}

/** A document without its code blocks, because names in these are examples. */
function withoutCode(text) {
  return text.replace(/^```[\s\S]*?^```/gm, "").replaceAll(/\s*\n(?![\n|#])\s*/g, " ");
}

/**
 * @param {string} notes
 * @param {string} file
 * @param {string} root
 */
export function lostIn(notes, file, root) {
  return [...notes.matchAll(CITED)].flatMap(([citation, cited = "", headings]) => {
    if (WORKSPACE.test(cited) || UPSTREAM.includes(cited)) return [];
    const document = found(cited, path.dirname(file), root);
    if (document === undefined) return [cited];
    const missing = (headings?.match(/"[^"]+"/g) ?? []).filter((name) => !hasHeading(document, name.slice(1, -1)));
    return missing.length === 0 ? [] : [citation];
  });
}

/** A document is searched from the citing file's folder upwards: parts of an agent cite the agent's notes. */
function found(cited, folder, root) {
  const place = path.join(root, folder, cited);
  if (existsSync(place)) return place;
  // An agent's proofs cite the README in its folder.
  const [, agent] = /^verify\/(agents\/[^/]+)$/.exec(folder) ?? [];
  if (agent !== undefined) return found(cited, path.join("lib", agent), root);
  return folder === "." ? undefined : found(cited, path.dirname(folder), root);
}

function hasHeading(document, name) {
  const headings = readFileSync(document, "utf8").match(/^#+ .*$/gm) ?? [];
  return headings.some((heading) => heading.replace(/^#+ /, "").replaceAll("`", "") === name);
}
