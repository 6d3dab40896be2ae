/** Patterns of paths, with `/`: `*` stands for any part of a name, `**` for any number of folders, including none. */

/** The folders at the start of a pattern, up to the first one with a `*`. */
export function fixedPart(pattern: string): string {
  const parts = pattern.split("/").slice(0, -1);
  const wild = parts.findIndex((part) => part.includes("*"));
  return (wild < 0 ? parts : parts.slice(0, wild)).join("/");
}

/** Matches whole paths. */
export function matcherOf(pattern: string): RegExp {
  const parts = pattern.split("/").map((part) => (part === "**" ? "(?:[^/]+/)*" : `${namePattern(part)}/`));
  return new RegExp(`^${parts.join("").replace(/\/$/, "")}$`);
}

/** Matches a single name. */
export function nameMatcher(part: string): RegExp {
  return new RegExp(`^${namePattern(part)}$`);
}

function namePattern(part: string): string {
  const literals = part.split("*").map((literal) => literal.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return literals.join("[^/]*");
}
