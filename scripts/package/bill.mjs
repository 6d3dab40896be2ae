import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "../setup.mjs";

/**
 * @typedef {{ readonly name: string, readonly group?: string, readonly "bom-ref": string, readonly scope?: string }} Component
 * @typedef {{ readonly ref: string, readonly dependsOn?: readonly string[] }} Dependency
 * @typedef {{ readonly serialNumber?: string, readonly metadata: { readonly component: Pick<Component, "bom-ref"> }, readonly components: readonly Component[], readonly dependencies?: readonly Dependency[] }} Bill
 */

/** Native libraries that npm installs with the package if they exist for the platform. */
export const OPTIONAL = ["libsql", "@napi-rs/nice", "@resvg/resvg-js"];

/**
 * The bill of materials in CycloneDX's format: the packages whose code is in this one, and those that npm adds.
 * @param {readonly string[]} contents names of the packages whose code is in it, as `stage.mjs` leaves them
 * @returns {Bill & { readonly dependencies: readonly Required<Dependency>[] }}
 */
export function billOfMaterials(contents) {
  const place = mkdtempSync(path.join(tmpdir(), "bill-"));
  // npm names the subject of the bill by its folder.
  const folder = path.join(place, "context-replay");
  try {
    mkdirSync(folder);
    copyFileSync(path.join(ROOT, "package.json"), path.join(folder, "package.json"));
    writeFileSync(path.join(folder, "package-lock.json"), lockWithoutTools(new Set(contents)));
    // npm classifies all of them as development packages, which it leaves out if NODE_ENV is production.
    const args = [
      "sbom",
      "--include=dev",
      "--sbom-format",
      "cyclonedx",
      "--sbom-type",
      "application",
      "--package-lock-only",
    ];
    const options = { cwd: folder, encoding: "utf8", maxBuffer: 2 ** 28, shell: process.platform === "win32" };
    const written = execFileSync("npm", args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
    return billOf(JSON.parse(written), new Set([...contents, ...OPTIONAL]));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/**
 * The lock file without the packages that tools install for other platforms: npm writes no bill if such packages disagree, and none of them is in
 * this package.
 */
function lockWithoutTools(contents) {
  const lock = JSON.parse(readFileSync(path.join(ROOT, "package-lock.json"), "utf8"));
  const packages = Object.entries(lock.packages).filter(
    ([place, { dev, optional }]) => !(dev && optional) || contents.has(place.split("node_modules/").at(-1)),
  );
  return JSON.stringify({ ...lock, packages: Object.fromEntries(packages) });
}

/**
 * A bill with only the named packages. npm classifies all of them as development packages; in this package their code
 * runs.
 * @param {Bill} bill as `npm sbom` gives it
 * @param {ReadonlySet<string>} contents
 * @returns {Bill & { readonly dependencies: readonly Required<Dependency>[] }}
 */
export function billOf(bill, contents) {
  const nameOf = ({ name, group }) => (group ? `${group}/${name}` : name);
  const components = bill.components
    .filter((one) => contents.has(nameOf(one)))
    .map(({ properties: _, ...one }) => ({ ...one, scope: OPTIONAL.includes(nameOf(one)) ? "optional" : "required" }));
  const refs = new Set([bill.metadata.component["bom-ref"], ...components.map((one) => one["bom-ref"])]);
  const dependencies = (bill.dependencies ?? [])
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  return { ...bill, components, dependencies };
}

/**
 * The SHA-256 of every file of a folder, in the format of `sha256sum --check`.
 * @param {string} folder
 */
export function checksums(folder) {
  const digest = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");
  return readdirSync(folder)
    .sort()
    .map((file) => `${digest(path.join(folder, file))}  ${file}\n`)
    .join("");
}
