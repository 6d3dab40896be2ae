// Checks the import directions. Also fails if no module was read.
import { fileURLToPath } from "node:url";
import swc from "@swc/core";
import { cruise } from "dependency-cruiser";
import config from "./dependency-cruiser.mjs";

// dependency-cruiser parses every file as TypeScript without JSX; its own TypeScript parser does not know TypeScript 7.
const parseFile = swc.parseFileSync;
swc.parseFileSync = (file, options) => parseFile(file, { ...options, tsx: file.endsWith(".tsx") });

/** Violations of the rules under some folders, as sentences; and the number of modules that were read. */
export async function checkImports(folders) {
  const { options, ...ruleSet } = config;
  const { output } = await cruise(folders, { ...options, ruleSet, validate: true }, { alias: { "@": process.cwd() } });
  return {
    modules: output.summary.totalCruised,
    violations: output.summary.violations.map(
      (violation) => `${violation.rule.name}: ${violation.from} → ${violation.to}`,
    ),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { modules, violations } = await checkImports(["lib", "app", "components", "page"]);
  for (const violation of violations) console.error(violation);
  console.log(`${modules} modules, ${violations.length} forbidden imports`);
  if (modules === 0) console.error("no module was read: the check itself is broken");
  process.exitCode = modules > 0 && violations.length === 0 ? 0 : 1;
}
