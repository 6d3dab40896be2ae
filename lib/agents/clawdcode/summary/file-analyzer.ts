import { objectOf, parsedOr } from "@/lib/agents/shared/json";

/** A match includes the characters before and after the path, so the second of two paths with one blank between them is missed. */
const BEFORE = "(?:^|\\s|[\"'`])";
const AFTER = "(?:\\s|$|[\"'`]|:)";
const FILE_NAME = "[\\w.-]+\\.[a-zA-Z]{1,10}";
const PATTERNS = [
  new RegExp(`${BEFORE}(\\/?(?:[\\w.-]+\\/)+${FILE_NAME})${AFTER}`, "gm"),
  new RegExp(`${BEFORE}(\\.\\/(?:[\\w.-]+\\/)*${FILE_NAME})${AFTER}`, "gm"),
  /```\d+:\d+:([\w./-]+)/gm,
];

/** The distinct paths in a text with the position of their first match: pattern after pattern, and by position within each. */
export function pathsInText(text: string): ReadonlyMap<string, number> {
  const paths = new Map<string, number>();
  for (const pattern of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const path = match[1] ?? "";
      if (!paths.has(path)) paths.set(path, match.index + match[0].indexOf(path));
    }
  }
  return paths;
}
const PATH_KEYS = ["file_path", "path", "notebook_path", "filePath"];

/** The paths in the arguments of a call that names files, which are JSON or the text of it. */
export function pathsInArguments(args: unknown): readonly string[] {
  const given = objectOf(typeof args === "string" ? parsedOr(args) : args);
  return PATH_KEYS.flatMap((key) => {
    const path = given[key];
    return typeof path === "string" && path !== "" ? [path] : [];
  });
}

/** Content of a file for the summarising model. */
export interface FileContent {
  readonly path: string;
  readonly content: string;
  /** Number of lines before the cut. */
  readonly lines: number;
  readonly truncated: boolean;
}
