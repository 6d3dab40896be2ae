// Counts the product: its files and lines, and which of them are too large. Proofs, tests, measurements and documents do not count.
// Fails if two folders import each other.
//   node scripts/sizes.mjs
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

/** Limits: a file contains one idea, a folder fits into one view. */
const MAX_LINES = 400;
const MAX_FILES = 20;

const names = execFileSync("git", ["ls-files", "app", "bin", "components", "lib", "page", "scripts"], {
  encoding: "utf8",
});
const files = names
  .trim()
  .split("\n")
  .filter((name) => /\.(tsx?|mjs|css)$/.test(name) && !/\.test\.|\/(testing|fixtures)\//.test(name))
  .map((name) => ({ name, folder: path.dirname(name), text: readFileSync(name, "utf8") }));
const known = new Set(files.map(({ name }) => name));
const lines = (text) => text.split("\n").length - 1;

/** The project folder from which a file imports, if the import is one of the project's own modules. */
function importedFolder(folder, specifier) {
  const base = specifier.startsWith("@/")
    ? specifier.slice(2)
    : specifier.startsWith(".")
      ? path.join(folder, specifier)
      : "";
  const found = ["", ".ts", ".tsx"].map((ending) => base + ending).find((name) => known.has(name));
  return found && path.dirname(found);
}

const imports = new Set();
for (const { folder, text } of files) {
  for (const [, specifier] of text.matchAll(/\bfrom "([^"]+)"/g)) {
    const target = importedFolder(folder, specifier);
    if (target !== undefined && target !== folder) imports.add(`${folder} ${target}`);
  }
}
const mutual = [...imports].map((pair) => pair.split(" ")).filter(([a, b]) => a < b && imports.has(`${b} ${a}`));
const perFolder = new Map();
for (const file of files) perFolder.set(file.folder, [...(perFolder.get(file.folder) ?? []), file]);
const crowded = [...perFolder].filter(([, inside]) => inside.length > MAX_FILES);
const long = files.filter(({ text }) => lines(text) > MAX_LINES);

console.log(`${files.length} files, ${files.reduce((sum, { text }) => sum + lines(text), 0)} lines`);
console.log(
  `${long.length} files above ${MAX_LINES} lines`,
  ...long.map(({ name, text }) => `\n  ${lines(text)} ${name}`),
);
console.log(
  `${crowded.length} folders above ${MAX_FILES} files`,
  ...crowded.map(([name, inside]) => `\n  ${inside.length} ${name}`),
);
console.log(`${mutual.length} pairs of folders that import each other`, ...mutual.map(([a, b]) => `\n  ${a} ↔ ${b}`));
process.exitCode = mutual.length === 0 ? 0 : 1;
