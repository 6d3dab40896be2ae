const HEADING = "## Unreleased";

/**
 * The changelog with its unreleased part as the section of a release. Throws if there is nothing to release.
 * @param {string} text
 * @param {string} version
 * @param {string} day the day of the release, as 2026-09-01
 */
export function released(text, version, day) {
  if (text.includes(`\n## ${version} `) || text.includes(`\n## ${version}\n`))
    throw new Error(`CHANGELOG.md has a section ${version} already.`);
  if (!/^## Unreleased\n(?:(?!## )[^\n]*\n)*- /m.test(text))
    throw new Error(`CHANGELOG.md has no line under "${HEADING}".`);
  return text.replace(`${HEADING}\n`, `## ${version} · ${day}\n`);
}
