import { expect, it } from "vitest";

const { released } = (await import("./changelog.mjs" as string)) as typeof import("./changelog.mjs"); // Plain JavaScript without types.

const TEXT = "# Changelog\n\n## Unreleased\n- Does more.\n\n## 0.1.0\n- Began.\n";

it("the Unreleased part becomes the section of the release, and the rest is unchanged", () => {
  expect(released(TEXT, "0.2.0", "2026-09-01")).toBe(TEXT.replace("## Unreleased", "## 0.2.0 · 2026-09-01"));
});

it("lines below a subheading count as changes", () => {
  const text = TEXT.replace("- Does more.", "\n### New\n- Does more.");
  expect(released(text, "0.2.0", "2026-09-01")).toContain("## 0.2.0 · 2026-09-01\n\n### New");
});

it.each([
  ["0.1.0", TEXT, "already"],
  ["0.2.0", "# Changelog\n\n## 0.1.0\n- Began.\n", "no line"],
  ["0.2.0", "# Changelog\n\n## Unreleased\n\n## 0.1.0\n- Began.\n", "no line"],
  ["0.2.0", "# Changelog\n\n## Unreleased\n\n### Fixed\n\n## 0.1.0\n- Began.\n", "no line"],
])("a release %s without changes is refused", (version, text, reason) => {
  expect(() => released(text, version, "2026-09-01")).toThrow(reason);
});
