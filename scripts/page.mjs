/** Builds the page without a server: one HTML file that contains all its parts and sends no request. `npm run build:page [file]` */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import tailwind from "@tailwindcss/postcss";
import { build } from "esbuild";
import postcss from "postcss";

const root = fileURLToPath(new URL("..", import.meta.url));
const PAGE = join(root, "page");

const COMMON = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  minify: true,
  format: "iife",
  target: "es2022",
  platform: "browser",
  logLevel: "warning",
  legalComments: "none",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"' },
};

/** Replaces Node's modules by the browser's. */
const inBrowser = {
  name: "in-browser",
  setup({ onResolve }) {
    const own = {
      "node:fs": "files",
      "node:fs/promises": "files",
      "node:path": "path",
      "node:buffer": "buffer",
      "node:crypto": "crypto",
      "node:os": "os",
      "node:vm": "vm",
    };
    onResolve({ filter: /^(?:node:|libsql$|piscina$|@secretlint\/|quickjs-|@jitl\/)/ }, ({ path }) => ({
      path: join(PAGE, "node", own[path] === undefined ? "nothing.cjs" : `${own[path]}.ts`),
    }));
    onResolve({ filter: /^\.\/unzip$/ }, () => ({ path: join(PAGE, "node", "unzip.ts") }));
    // Tables of tokens are megabytes.
    onResolve({ filter: /(?:tokens\/exact-counter|js-tiktoken|ai-tokenizer|gpt-tokenizer)/ }, () => ({
      path: join(PAGE, "node", "nothing.cjs"),
    }));
    onResolve({ filter: /^next\// }, ({ path }) => {
      const file = join(PAGE, path);
      return { path: existsSync(`${file}.tsx`) ? `${file}.tsx` : `${file}.ts` };
    });
  },
};

function textOf({ outputFiles: [file] }) {
  return file.text;
}

async function workerProgram() {
  return textOf(await build({ ...COMMON, entryPoints: [join(PAGE, "worker.ts")], plugins: [inBrowser] }));
}

async function pageProgram() {
  return textOf(await build({ ...COMMON, entryPoints: [join(PAGE, "main.tsx")], plugins: [inBrowser] }));
}

async function loaderProgram() {
  return textOf(await build({ ...COMMON, entryPoints: [join(PAGE, "loader.ts")] }));
}

/** A compressed program as base64: a quarter of its original size. */
function packed(program) {
  return gzipSync(program, { level: 9 }).toString("base64");
}

async function styles() {
  const from = join(root, "app", "globals.css");
  const { css } = await postcss([tailwind({ base: root, optimize: { minify: true } })]).process(
    readFileSync(from, "utf8"),
    { from },
  );
  return css;
}

const [out = join("dist", "context-replay.html")] = process.argv.slice(2);
const [worker, program, loader, css] = await Promise.all([workerProgram(), pageProgram(), loaderProgram(), styles()]);
const digest = createHash("sha256").update(loader).digest("base64");
const policy = [
  "default-src 'none'; connect-src 'none'; form-action 'none'; base-uri 'none'",
  `script-src 'sha256-${digest}' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data: blob:`,
].join("; ");
const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Context Replay</title>
<style>${css}</style>
</head>
<body><div id="root"></div>
<script type="text/plain" id="program">${packed(program)}</script>
<script type="text/plain" id="worker">${packed(worker)}</script>
<script>${loader}</script></body>
</html>
`;
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, html);
process.stdout.write(`${out}: ${(Buffer.byteLength(html) / 1e6).toFixed(2)} MB\n`);
