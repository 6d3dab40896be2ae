/** Every regular expression that is written in the project's own sources. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "@swc/core";

/**
 * The literals, and the positions of expressions that are built at run time.
 * @param {string} folder
 */
export function regexesOf(folder) {
  const literals = [];
  const built = [];
  for (const file of sourcesOf(folder)) {
    const module = parseSync(readFileSync(file, "utf8"), { syntax: "typescript", tsx: file.endsWith("x") });
    visit(module, (node) => {
      if (node.type === "RegExpLiteral") literals.push({ file, source: node.pattern, flags: node.flags });
      if (node.type === "NewExpression" && node.callee.value === "RegExp") built.push(file);
    });
  }
  return { literals, built };
}

/** The sources below a folder, except those that the test of import directions adds temporarily. */
function sourcesOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|(^|\/)(testing|planted-\w+)\//.test(name))
    .map((name) => path.join(folder, name))
    .sort();
}

function visit(node, see) {
  if (typeof node !== "object" || node === null) return;
  if (typeof node.type === "string") see(node);
  for (const value of Object.values(node)) visit(value, see);
}
