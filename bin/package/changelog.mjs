const HEADING = "## Unreleased";

/**
 * A changelog in which what was not yet released has become a release's section. Throws where there is nothing to release.
 * @param {string} text
 * @param {string} version
 * @param {string} day the day of the release, as 2026-09-01
 */
export function released(text, version, day) {
  if (text.includes(`\n## ${version} `) || text.includes(`\n## ${version}\n`))
    throw new Error(`CHANGELOG.md has a section ${version} already.`);
  if (!/^## Unreleased\n+- /m.test(text)) throw new Error(`CHANGELOG.md has no line under "${HEADING}".`);
  return text.replace(`${HEADING}\n`, `## ${version} · ${day}\n`);
}

/**
 * The bill of materials of what the package holds: of all that the lock file names, only the packages whose code went into it, and those that npm adds where they exist.
 * @param {{ components: readonly { name: string, group?: string }[], dependencies?: readonly { ref: string, dependsOn?: readonly string[] }[] }} bill as `npm sbom` gives it
 * @param {ReadonlySet<string>} contents
 */
export function billOf(bill, contents) {
  const components = bill.components.filter(({ name, group }) => contents.has(group ? `${group}/${name}` : name));
  const refs = new Set([bill.metadata?.component?.["bom-ref"], ...components.map((one) => one["bom-ref"])]);
  const dependencies = (bill.dependencies ?? [])
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  return { ...bill, components, dependencies };
}
