import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { transformSync } from "esbuild";

/** Minification by esbuild is fast. A server holds its code as text while it runs. */
export const SMALLER = { minify: true, legalComments: "none", target: "node20.9" };
/** Result for all the chunks of a folder. */
const JOINED = "all.js";
/** A module that runs the compressed code next to it as if Node itself had read it, so that newer releases cache the compiled code. */
const UNPACK = `const{brotliDecompressSync}=require("node:zlib"),{readFileSync}=require("node:fs"),file=__filename+".br";
module._compile(brotliDecompressSync(readFileSync(file)).toString(),file);
`;
/** The loader of chunks, one for each of the two folders. */
const RUNTIME = "[turbopack]_runtime.js";

/**
 * Joins the chunks that the build wrote for a server's pages and routes into one file for each of the two. Every route is bundled by itself, so most of their
 * modules occur several times in a server's memory, and their lists of chunks are longer than their code. Joining joined chunks again changes nothing.
 * @param {string} server the folder `server` of the built pages
 * @param {(bytes: Buffer) => Buffer} [pack] without it they are written as text, minified by esbuild
 */
export function joinServerChunks(server, pack) {
  removeWhatOnlyBrowsersLoad(server);
  for (const folder of ["chunks", "chunks/ssr"]) joinFolder(server, folder, pack);
  for (const file of filesBelow(server)) {
    const text = readFileSync(file, "utf8");
    const changed = renamed(text);
    if (changed !== text) writeFileSync(file, changed);
  }
}

/**
 * The build also writes server chunks for parts that a page loads only after its data, such as the tabs of a session. The server renders pages before their
 * data, so it never loads those: chunks that no page names are left out.
 */
function removeWhatOnlyBrowsersLoad(server) {
  // Next to the pages are lists of all files that the build has read.
  const pages = filesBelow(path.join(server, "app")).filter((file) => !/\.(nft\.json|map)$/.test(file));
  const named = pages.map((file) => readFileSync(file, "utf8"));
  for (const file of filesBelow(path.join(server, "chunks", "ssr"))) {
    const name = path.basename(file);
    // The runtime and modules of the server alone; texts of the languages, which it renders.
    if (/^\[|^app_/.test(name) || named.some((text) => text.includes(name))) continue;
    rmSync(file);
  }
}

function joinFolder(server, folder, pack) {
  const place = path.join(server, folder);
  const chunks = readdirSync(place).filter((name) => name.endsWith(".js") && name !== RUNTIME);
  const whole = joined(chunks.map((name) => renamed(readFileSync(path.join(place, name), "utf8"))));
  for (const name of chunks) rmSync(path.join(place, name));
  if (pack === undefined) return writeFileSync(path.join(place, JOINED), transformSync(whole, SMALLER).code);
  writeFileSync(path.join(place, JOINED), UNPACK);
  writeFileSync(path.join(place, `${JOINED}.br`), pack(Buffer.from(whole)));
}

/**
 * One chunk with the modules of all given ones, each once. A chunk is a list: names of a module, then the function that makes it. A server puts all
 * loaded chunks into one table by these names and keeps the first, so it does not matter which one is kept here.
 * @param {readonly string[]} chunks
 */
export function joined(chunks) {
  const made = new Map();
  let names = [];
  const parts = [];
  for (const text of chunks) {
    const module = { exports: [] };
    vm.runInNewContext(text, { module });
    for (const entry of module.exports) {
      if (typeof entry !== "function") {
        names.push(entry);
        continue;
      }
      const code = entry.toString();
      const before = new Set(names.map((name) => made.get(name)));
      // Duplicates differ only in the names that the build gave to variables.
      if (before.size !== 1 || ![undefined, code.length].includes([...before][0])) {
        throw new Error(`The modules ${names} are two different ones.`);
      }
      if (before.has(undefined)) parts.push(`${names.map((name) => JSON.stringify(name)).join(",")},${code}`);
      for (const name of names) made.set(name, code.length);
      names = [];
    }
  }
  return `module.exports=[${parts.join(",\n")}];\n`;
}

/** A text with references to the joined chunk in place of those before; a list names each once. */
export function renamed(text) {
  return text
    .replaceAll(/"(server\/chunks\/(?:ssr\/)?)([^"/]+)\.js"/g, (found, folder, name) =>
      `${name}.js` === RUNTIME ? found : `"${folder}${JOINED}"`,
    )
    .replaceAll(/("server\/chunks\/(?:ssr\/)?all\.js")(?:,\s*\1)+/g, "$1")
    .replaceAll(/(R\.c\("server\/chunks\/(?:ssr\/)?all\.js"\)\n)\1+/g, "$1");
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
