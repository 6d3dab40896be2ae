/** Assembles the package in `dist/package`: the program as in an installed and built checkout, without development files. npm runs it before it packs. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { transform } from "esbuild";
import { minifySync } from "rolldown/utils";
import { packStatic } from "../pack-static.mjs";
import { joinServerChunks, SMALLER } from "../server-chunks.mjs";
import { ensureBuilt, ROOT } from "../setup.mjs";
import { OPTIONAL } from "./bill.mjs";
import { bundleForPackage } from "./bundles.mjs";
import { writeTypes } from "./types.mjs";

const OUT = path.join(ROOT, "dist", "package");
const PAGES = path.join(ROOT, ".next");
/** Brotli's highest level takes a quarter of a minute. A test's package is a twentieth larger and compressed in a second. */
const QUALITY = process.env.CONTEXT_REPLAY_PACKS_QUICKLY === undefined ? constants.BROTLI_MAX_QUALITY : 9;

/** Packages that stay unbundled: they read files next to their code, or start threads of it. */
const WHOLE = ["js-tiktoken", "piscina", "pg", "pg-boss", "node-sqlite3-wasm", "@jitl/quickjs-wasmfile-release-sync"];
/** Code that the server of the pages can reach but never loads here: optimising images, building, developing, running at the edge. */
const NOT_NEEDED = [
  /^(sharp|@img|semver|detect-libc|libsql|@libsql|@neon-rs|typescript|postcss|caniuse-lite|baseline-browser-mapping|nanoid)\//,
  /^next\/dist\/(docs|esm|next-devtools|telemetry|lib\/upgrade|client\/(dev|components\/(segment-cache|router-reducer)))\//,
  /^next\/dist\/compiled\/(webpack|babel|terser|edge-runtime|next-devtools|@mswjs|browserslist|conf|ws|comment-json|fast-jwt|@hapi|busboy|json5|watchpack)\//,
  /^next\/dist\/compiled\/next-server\/(app-page|app-route|pages|pages-turbo|server)\.runtime|experimental\.runtime|\.(development|dev)\.js$|\.d\.ts$|LICENSE$/,
  /^next\/dist\/server\/(dev\/hot-reloader-(turbopack|webpack|rspack)|mcp\/tools\/get-|app-render\/(app-render|instant-validation\/)|image-optimizer)/,
  /capsize-font-metrics|react-dom-server/,
];
/**
 * Modules that a start of the server loads, and that only developing, building, checking a configuration or optimising images calls: a module with an error
 * message replaces them.
 */
const NEVER_CALLED =
  /^next\/dist\/(compiled\/(comment-json|source-map|zod|commander|image-size|image-detector|semver)\/.*|server\/(dev|typescript)\/.*|lib\/typescript\/.*|server\/config-schema|server\/lib\/router-utils\/typegen)\.c?js$/;
const STAND_IN =
  'module.exports=new Proxy(function(){},{get:(_,key)=>key==="__esModule"?true:key==="then"?undefined:()=>{throw new Error("The package lacks "+__filename)}});\n';

/** Files of a package that nothing loads. */
const NOT_CODE =
  /\.(map|md|[cm]?ts|flow)$|\/(tests?|benchmark|examples|docs|src)\/|\.test\.|\/build\/(amd|global|es6|cjs-browser)\//;
/** Only js-tiktoken's encoder for older models is loaded; the tables are written in another format. */
const TIKTOKEN = /^$|^\/(dist|package\.json|LICENSE|dist\/(lite|chunk-\w+)\.c?js)$/;
/** The part of the interpreter for user policies that Node loads. */
const INTERPRETER =
  /^$|^\/(dist|package\.json|LICENSE|dist\/((index|ffi|emscripten-module)\.mjs|emscripten-module\.wasm))$/;
/** Packages that are needed only in part. */
const PARTS = { "js-tiktoken": TIKTOKEN, "@jitl/quickjs-wasmfile-release-sync": INTERPRETER };
/**
 * The token tables of js-tiktoken. Tables with the most common tokens are packed together: a table refers to the previous one for the part that both
 * share.
 */
const TABLES = [["o200k_base"], ["cl100k_base"], ["r50k_base", "p50k_base", "gpt2", "p50k_edit"]];

/**
 * A module that unpacks a table: its tokens are concatenated in one file, and their lengths are in another, which compresses better than text does. A length of
 * 0 stands for a token of the table before: a third file says which, the lowest bytes of all numbers first.
 */
const UNPACK = `const{brotliDecompressSync}=require("node:zlib"),{readFileSync}=require("node:fs"),{join}=require("node:path");
const read=name=>brotliDecompressSync(readFileSync(join(__dirname,name)));
const tokensOf=([name,...bases])=>{const bytes=read(name+".tokens.br"),before=bases.length?tokensOf(bases):[],refs=bases.length?read(name+".refs.br"):[],count=refs.length/3;let at=0,ref=0;
return Array.from(read(name+".lengths.br"),length=>length?bytes.toString("base64",at,at+=length):before[refs[ref]|refs[ref+count]<<8|refs[count*2+ref++]<<16])};
module.exports=(names,...lines)=>{const tokens=tokensOf(names);
return lines.map(([first,from,to])=>"! "+first+" "+tokens.slice(from,to).join(" ")).join("\\n")};
`;

ensureBuilt({ pages: true });
rmSync(OUT, { recursive: true, force: true });
const bundled = await bundleForPackage(path.join("dist", "package", "dist"), [...WHOLE, ...OPTIONAL]);
copyPages();
removePolyfills();
await keepPackedAlone(path.join(OUT, ".next", "static"));
joinServerChunks(path.join(OUT, ".next", "server"), (whole) => brotli(minified(whole)));
for (const name of withDependencies(WHOLE)) copyPackage(name);
for (const file of filesOfNext()) {
  copy(path.join(ROOT, "node_modules", file), path.join("node_modules", file));
  if (NEVER_CALLED.test(file)) writeFileSync(path.join(OUT, "node_modules", file), STAND_IN);
}
copy(path.join(ROOT, "public"), "public");
packSamples();
writeTypes(OUT);
packTables();
packSqlite();
packInterpreter();
writeNotices();
for (const file of filesBelow(path.join(OUT, "node_modules"))) await minify(file);

/** The built pages, without files that only a build reads. */
function copyPages() {
  const top = readdirSync(PAGES).filter((name) =>
    /^(BUILD_ID|static|server|package\.json|.*manifest\.json|required-server-files\.json)$/.test(name),
  );
  for (const name of top) copy(path.join(PAGES, name), path.join(".next", name));
  // The page asks the server for the interpreter of policies, which is among the packages.
  for (const file of filesBelow(path.join(OUT, ".next", "static"))) if (file.endsWith(".wasm")) rmSync(file);
  for (const file of filesBelow(path.join(OUT, ".next"))) {
    const text = readFileSync(file, "utf8");
    const changed = withoutAliases(text).replaceAll(ROOT.replace(/[\\/]$/, ""), "/context-replay");
    if (changed !== text) writeFileSync(file, changed);
  }
}

/** Next names a script for browsers without modules; none of those can show the pages. */
function removePolyfills() {
  const names = JSON.parse(readFileSync(path.join(PAGES, "build-manifest.json"), "utf8")).polyfillFiles;
  for (const name of names) rmSync(path.join(OUT, ".next", name));
  for (const file of filesBelow(path.join(OUT, ".next")).filter((one) => /build-manifest\.js(on)?$/.test(one))) {
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(/("?polyfillFiles"?:\s*)\[[^\]]*\]/, "$1[]"));
  }
}

/**
 * Scripts and styles are sent compressed, and the server unpacks them for the few clients that do not accept that. They are compressed here, because
 * some changed after the build.
 */
async function keepPackedAlone(folder) {
  await packStatic(folder);
  for (const file of filesBelow(folder)) if (existsSync(`${file}.br`)) rmSync(file);
}

/** The build names packages by symbolic links, and a package cannot contain those. */
function withoutAliases(text) {
  return readdirSync(path.join(PAGES, "node_modules")).reduce(
    (changed, alias) => changed.replaceAll(alias, alias.replace(/-[0-9a-f]{16}$/, "")),
    text,
  );
}

/**
 * Files of node_modules that the pages' server loads: from the build's lists of the pages' dependencies, and from a start of the server, for files
 * that the lists lack.
 */
function filesOfNext() {
  const modules = path.join(ROOT, "node_modules");
  const ofPages = filesBelow(PAGES)
    .filter((file) => file.endsWith(".nft.json"))
    .flatMap((list) =>
      JSON.parse(readFileSync(list, "utf8")).files.map((file) => path.resolve(path.dirname(list), file)),
    );
  const started = spawnSync(process.execPath, [path.join(ROOT, "scripts", "package", "loaded.mjs")], {
    encoding: "utf8",
  });
  if (started.status !== 0) throw new Error(`The server did not start: ${started.stderr}`);
  const files = [...ofPages, ...JSON.parse(started.stdout)].map((file) =>
    path.relative(modules, file).replaceAll("\\", "/"),
  );
  const loaded = new Set(files.slice(ofPages.length));
  const isNeeded = (file) => loaded.has(file) || !NOT_NEEDED.some((pattern) => pattern.test(file));
  return new Set(
    files.filter(
      (file) => !file.startsWith("../") && isNeeded(file) && !WHOLE.some((name) => file.startsWith(`${name}/`)),
    ),
  );
}

/** Packages with all their dependencies. */
function withDependencies(names, found = new Set()) {
  for (const name of names) {
    if (found.has(name)) continue;
    found.add(name);
    const { dependencies = {} } = JSON.parse(
      readFileSync(path.join(ROOT, "node_modules", name, "package.json"), "utf8"),
    );
    withDependencies(Object.keys(dependencies), found);
  }
  return found;
}

function copyPackage(name) {
  const from = path.join(ROOT, "node_modules", name);
  const isPart = (file) => {
    const below = file.slice(from.length).replaceAll("\\", "/");
    return PARTS[name]?.test(below) ?? (!NOT_CODE.test(below) && !below.includes("/node_modules"));
  };
  cpSync(from, path.join(OUT, "node_modules", name), { recursive: true, filter: isPart });
}

function copy(from, to) {
  cpSync(from, path.join(OUT, to), { recursive: true, filter: (file) => !/\.(map|nft\.json)$/.test(file) });
}

/** Writes the compressed token tables, a third of the size, and modules of the old names that unpack them. */
function packTables() {
  const folder = path.join(OUT, "node_modules", "js-tiktoken", "dist", "ranks");
  mkdirSync(folder);
  writeFileSync(path.join(folder, "unpack.cjs"), UNPACK);
  let bases = [];
  for (const names of TABLES) bases = [packTogether(folder, names, bases), ...bases];
}

/** Compresses tables with references to the ones before, the nearest first. */
function packTogether(folder, names, bases) {
  const load = createRequire(import.meta.url);
  const [first] = names;
  const tables = names.map((name) => load(`js-tiktoken/ranks/${name}`));
  const tokens = [];
  // Start and end of the tables' lines among all tokens: `! <first id> <token> <token> …`.
  const linesOf = new Map();
  for (const { bpe_ranks: ranks } of tables) {
    if (linesOf.has(ranks)) continue;
    const lines = ranks
      .split("\n")
      .map((line) => line.split(" "))
      .map(([, id, ...texts]) => {
        const from = tokens.length;
        for (const text of texts) tokens.push(Buffer.from(text, "base64"));
        return [Number(id), from, tokens.length];
      });
    linesOf.set(ranks, lines);
  }
  const before = new Map(bases[0]?.tokens.map((token, id) => [token.toString("latin1"), id]));
  const refs = tokens.map((token) => before.get(token.toString("latin1")));
  const own = tokens.filter((_, id) => refs[id] === undefined);
  const lengths = tokens.map((token, id) => (refs[id] === undefined ? token.length : 0));
  const shared = refs.filter((ref) => ref !== undefined);
  writeFileSync(path.join(folder, `${first}.tokens.br`), brotli(Buffer.concat(own)));
  writeFileSync(path.join(folder, `${first}.lengths.br`), brotli(Uint8Array.from(lengths)));
  if (bases.length > 0) {
    const planes = [0, 8, 16].flatMap((shift) => shared.map((ref) => (ref >> shift) & 255));
    writeFileSync(path.join(folder, `${first}.refs.br`), brotli(Uint8Array.from(planes)));
  }
  const chain = JSON.stringify([first, ...bases.map((base) => base.first)]);
  for (const [at, name] of names.entries()) {
    const { bpe_ranks: ranks, ...others } = tables[at];
    const lines = JSON.stringify(linesOf.get(ranks)).slice(1, -1);
    const file = path.join(folder, `${name}.cjs`);
    writeFileSync(
      file,
      `module.exports={...${JSON.stringify(others)},bpe_ranks:require("./unpack.cjs")(${chain},${lines})};\n`,
    );
    if (load(file).bpe_ranks !== ranks) throw new Error(`The table ${name} does not unpack to what it was.`);
  }
  return { first, tokens };
}

/** The samples are read in compressed form. */
function packSamples() {
  // A store next to a transcript is read unpacked.
  const samples = filesBelow(path.join(OUT, "public", "samples")).filter((file) => file.endsWith(".jsonl"));
  for (const file of samples) {
    writeFileSync(`${file}.br`, brotli(readFileSync(file)));
    rmSync(file);
  }
}

/** SQLite's code is a binary, which Brotli compresses better; its loader accepts the bytes. */
function packSqlite() {
  const folder = path.join(OUT, "node_modules", "node-sqlite3-wasm", "dist");
  const [code, loader] = [path.join(folder, "node-sqlite3-wasm.wasm"), path.join(folder, "node-sqlite3-wasm.js")];
  writeFileSync(`${code}.br`, brotli(readFileSync(code)));
  rmSync(code);
  const text = readFileSync(loader, "utf8");
  const changed = text.replace(
    'var Module=typeof Module!="undefined"?Module:{};',
    "var Module={wasmBinary:unpackedBinary()};",
  );
  if (changed === text) throw new Error("The loader of node-sqlite3-wasm is another one than known.");
  const unpack =
    'function unpackedBinary(){return require("node:zlib").brotliDecompressSync(require("node:fs").readFileSync(__dirname+"/node-sqlite3-wasm.wasm.br"))}';
  writeFileSync(loader, `${changed}${unpack}\n`);
}

/** Compresses the interpreter of policies, as `packSqlite` does. */
function packInterpreter() {
  const folder = path.join(OUT, "node_modules", "@jitl", "quickjs-wasmfile-release-sync", "dist");
  const [code, loader] = [path.join(folder, "emscripten-module.wasm"), path.join(folder, "emscripten-module.mjs")];
  writeFileSync(`${code}.br`, brotli(readFileSync(code)));
  rmSync(code);
  const text = readFileSync(loader, "utf8");
  const changed = text.replace("var d=moduleArg,", "var d=unpackedBinary(moduleArg),");
  if (changed === text) throw new Error("The loader of the interpreter is another one than known.");
  const unpack = `import{brotliDecompressSync}from"node:zlib";import{readFileSync}from"node:fs";
function unpackedBinary(arg){arg.wasmBinary??=brotliDecompressSync(readFileSync(new URL("emscripten-module.wasm.br",import.meta.url)));return arg}
`;
  writeFileSync(loader, unpack + changed);
}

/** The joined chunks minified by Rolldown: a sixth smaller, compressed, than esbuild's. */
function minified(whole) {
  const { code, errors } = minifySync("all.js", whole.toString(), { compress: { target: "node20.9" }, mangle: true });
  if (errors.length > 0) throw new Error(`The chunks of the server cannot be minified: ${errors[0]?.message}`);
  return Buffer.from(code);
}

/** The bytes compressed by Brotli. Results are cached. */
function brotli(bytes) {
  const kept = path.join(ROOT, "node_modules", ".cache", "context-replay-package");
  const file = path.join(kept, `${createHash("sha256").update(bytes).digest("hex")}-${QUALITY}`);
  if (existsSync(file)) return readFileSync(file);
  const { BROTLI_PARAM_LGWIN: window, BROTLI_PARAM_SIZE_HINT: size, BROTLI_PARAM_QUALITY: quality } = constants;
  const packed = brotliCompressSync(bytes, { params: { [window]: 24, [size]: bytes.length, [quality]: QUALITY } });
  mkdirSync(kept, { recursive: true });
  writeFileSync(file, packed);
  return packed;
}

/** Names the packages whose code is in this package, bundled or whole, with the text of each licence; for the bill of materials, only their names. */
function writeNotices() {
  const pattern = /node_modules\/((?:@[^/"]+\/)?[^/"]+)\//g;
  const maps = filesBelow(PAGES).filter(
    (file) => file.endsWith(".js.map") && file.includes(`${path.sep}server${path.sep}`),
  );
  const texts = [
    bundled.join("\n"),
    ...maps.flatMap((file) => JSON.stringify(sourcesOf(JSON.parse(readFileSync(file, "utf8"))))),
    ...filesBelow(OUT),
  ];
  const names = texts.flatMap((text) =>
    Array.from(text.replaceAll("\\", "/").replaceAll("%40", "@").matchAll(pattern), ([, name]) => name),
  );
  const found = [...new Set([...names, "@fontsource-variable/inter"])]
    .sort()
    .filter((name) => existsSync(describedIn(name)));
  writeFileSync(path.join(ROOT, "dist", "package-contents.json"), JSON.stringify(found));
  // Patterns of secrets follow a list of another program, which is not a package.
  const forms = readFileSync(path.join(ROOT, "lib", "server", "secrets", "gitleaks-license.txt"), "utf8");
  const notices = [...found.map(noticeOf), `gitleaks, its list of rules (MIT)\n\n${forms.trim()}`];
  writeFileSync(path.join(OUT, "third-party.txt"), notices.join(`\n\n${"-".repeat(80)}\n\n`));
}

/** The sources of a map, which may consist of several. */
function sourcesOf({ sources = [], sections = [] }) {
  return [...sources, ...sections.flatMap(({ map }) => sourcesOf(map))];
}

function describedIn(name) {
  return path.join(ROOT, "node_modules", name, "package.json");
}

function noticeOf(name) {
  const { version, license } = JSON.parse(readFileSync(describedIn(name), "utf8"));
  const folder = path.dirname(describedIn(name));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  return `${name} ${version} (${license})\n\n${file === undefined ? "" : readFileSync(path.join(folder, file), "utf8").trim()}`;
}

/** Packages have the original code with comments; minified it is a third of the size. */
async function minify(file) {
  if (!/\.[cm]?js$/.test(file)) return;
  const { code } = await transform(readFileSync(file, "utf8"), SMALLER);
  writeFileSync(file, code);
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory())
      return ["cache", "dev", "node_modules"].includes(entry.name) && folder === PAGES ? [] : filesBelow(file);
    return entry.isFile() ? [file] : [];
  });
}
