/**
 * Makes a release, `npm run release -- patch|minor|major|VERSION`: the version, the changelog's section, and in `dist/release` the package, its bill of materials and their checksums.
 * It publishes nothing and commits nothing.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ensureInstalled, ROOT, say } from "../setup.mjs";
import { billOfMaterials, checksums } from "./bill.mjs";
import { released } from "./changelog.mjs";

const OUT = path.join(ROOT, "dist", "release");
const CHANGELOG = path.join(ROOT, "CHANGELOG.md");
/** Maximum size of the package: every installation downloads as much. */
const MAX_BYTES = 6.4e6;

const [wanted] = process.argv.slice(2);
if (wanted === undefined) {
  say("name the version, or patch, minor or major: npm run release -- minor");
  process.exit(2);
}
ensureInstalled();
npm("version", wanted, "--no-git-tag-version");
const { name, version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
try {
  writeFileSync(CHANGELOG, released(readFileSync(CHANGELOG, "utf8"), version, new Date().toISOString().slice(0, 10)));
} catch (error) {
  say(`${error.message} The version in package.json and package-lock.json was changed.`);
  process.exit(1);
}
rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
npm("pack", "--pack-destination", OUT);
const { size } = statSync(path.join(OUT, `${name}-${version}.tgz`));
if (size > MAX_BYTES) {
  say(`The package has ${size} bytes, more than ${MAX_BYTES}. The version and the changelog were changed.`);
  process.exit(1);
}
const contents = JSON.parse(readFileSync(path.join(ROOT, "dist", "package-contents.json"), "utf8"));
writeFileSync(path.join(OUT, `${name}-${version}.cdx.json`), JSON.stringify(billOfMaterials(contents), null, 2));
writeFileSync(path.join(OUT, "SHA256SUMS"), checksums(OUT));
say(
  `dist/release holds ${name} ${version}. Commit, tag v${version}, then npm publish dist/release/${name}-${version}.tgz`,
);

function npm(...args) {
  const stdio = ["ignore", "pipe", "inherit"];
  const shell = process.platform === "win32";
  return execFileSync("npm", args, { cwd: ROOT, stdio, shell, encoding: "utf8", maxBuffer: 2 ** 28 });
}
