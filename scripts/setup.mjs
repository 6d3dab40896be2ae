// Set-up steps shared by the commands: plain JavaScript without dependencies, because it runs before the install.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout's root. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

const LOCK = path.join(ROOT, "package-lock.json");
const INSTALLED = path.join(ROOT, "node_modules", ".package-lock.json");
const DIST = path.join(ROOT, "dist");

/** The sources that the build is made from. */
const SOURCES = [
  "app",
  "components",
  "lib",
  "verify",
  "public",
  "bin",
  "scripts",
  "instrumentation-client.ts",
  "next.config.mjs",
  "package-lock.json",
  "postcss.config.mjs",
  "proxy.ts",
  "tsconfig.json",
];

/** Installs the packages of the lock file, unless they are already installed. */
export function ensureInstalled() {
  if (isInstalled()) return;
  say("installing dependencies (once; about a minute) …");
  // The development packages build and test the project, so they are needed even if NODE_ENV is production.
  run("npm", ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"]);
}

/**
 * Builds the outdated parts: the bundles (command line and worker threads, a second), and for the dashboard also the pages (half a minute).
 */
export function ensureBuilt({ pages }) {
  const sources = hashOfSources();
  if (isBuilt("bundles", sources) && (!pages || isBuilt("pages", sources))) return;
  if (pages) say("building (half a minute; again only when the sources change) …");
  run(process.execPath, [path.join(ROOT, "scripts", "build.mjs"), ...(pages ? [] : ["--bundles"])]);
}

/** Records the sources of a part of the build. */
export function markBuilt(part, sources) {
  mkdirSync(DIST, { recursive: true });
  writeFileSync(path.join(DIST, `.${part}`), sources);
}

function isBuilt(part, sources) {
  const stamp = path.join(DIST, `.${part}`);
  const output = part === "pages" ? path.join(ROOT, ".next", "BUILD_ID") : path.join(DIST, "cli.mjs");
  return existsSync(stamp) && existsSync(output) && readFileSync(stamp, "utf8") === sources;
}

/** Runs a command with its output on standard error. If the command fails, ends this process with one sentence. */
export function run(command, args) {
  const result = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32" && command === "npm",
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
  });
  if (result.status === 0) return;
  say(`${command} ${args.join(" ")} failed${result.status === null ? "" : ` (exit code ${result.status})`}.`);
  process.exit(1);
}

/** Prints one line of progress. */
export function say(text) {
  process.stderr.write(`context-replay: ${text}\n`);
}

function isInstalled() {
  if (!existsSync(INSTALLED)) return false;
  const wanted = packagesOf(LOCK);
  const found = packagesOf(INSTALLED);
  return (
    Object.entries(found).every(([name, entry]) => wanted[name]?.version === entry.version) &&
    Object.entries(wanted).every(([name, entry]) => name === "" || entry.optional || found[name] !== undefined)
  );
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages;
}

/**
 * Identifies the sources of a build by a hash of their content. A file is read only if its time or size has changed since the last time: the command line asks
 * at every start.
 * @param {string} root
 */
export function hashOfSources(root = ROOT) {
  const files = SOURCES.flatMap((entry) => filesOf(path.join(root, entry)));
  const state = createHash("sha256");
  for (const file of files) {
    const { size, mtimeMs, ctimeMs } = statSync(file);
    state.update(`${file}\0${size}\0${mtimeMs}\0${ctimeMs}\0`);
  }
  const stamp = path.join(root, "dist", ".sources");
  const [known, found] = existsSync(stamp) ? readFileSync(stamp, "utf8").split(" ") : [];
  const now = state.digest("hex");
  if (known === now && found) return found;
  const hash = createHash("sha256");
  for (const file of files) hash.update(path.relative(root, file)).update("\0").update(readFileSync(file)).update("\0");
  const content = hash.digest("hex");
  try {
    mkdirSync(path.dirname(stamp), { recursive: true });
    writeFileSync(stamp, `${now} ${content}`);
  } catch {
    // Without write access, the sources are read each time.
  }
  return content;
}

/** Names among the sources that are not part of the build: tests, packaging and measurements. */
const NOT_BUILT = ["fixtures", "goldens", "package", "test.mjs", "browser.mjs", "programs.mjs"];

/** A file, or the files below a folder in a stable order, except files that are not built. */
function filesOf(entry) {
  if (!existsSync(entry)) return [];
  return statSync(entry).isDirectory() ? filesBelow(entry) : [entry];
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !NOT_BUILT.includes(name) && !/\.test\.tsx?$/.test(name))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((child) => {
      const file = path.join(folder, child.name);
      return child.isDirectory() ? filesBelow(file) : [file];
    });
}
