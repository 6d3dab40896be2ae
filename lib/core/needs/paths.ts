import { CHARACTER, eachRun, runEnd, runStart } from "./characters";

/** The paths that texts name. The rules are in docs/method.md, "Needed again". */

/** A last part that ends like a file: `a.ts`, but not `.ts`. */
const FILE_ENDING = /^.+\.[A-Za-z0-9]{1,8}$/s;
const NO_PARTS: ReadonlySet<string> = new Set(["", ".", "..", "~"]);

/** Every path that a text names, once, in the order of first mention. @param text without reminders */
export function pathsIn(text: string): ReadonlySet<string> {
  const paths = new Set<string>();
  // Slashes are found many times as fast as the characters around them are looked at.
  for (let slash = text.indexOf("/"); slash >= 0; ) {
    const end = runEnd(text, CHARACTER.path, slash + 1);
    const path = withoutTrailingDots(text.slice(runStart(text, CHARACTER.path, slash), end));
    if (isPath(path)) paths.add(path);
    slash = text.indexOf("/", end);
  }
  return paths;
}

/** What two names of one path have in common: its last two parts. */
export function pathKey(path: string): string {
  const parts = partsOf(path);
  return parts.slice(-2).join("/");
}

/** Whether a path ends like a file. */
export function isFile(path: string): boolean {
  return FILE_ENDING.test(path.slice(path.lastIndexOf("/") + 1));
}

function isPath(run: string): boolean {
  if (!run.includes("/") || run.startsWith("//") || run.startsWith("/dev/")) return false;
  const parts = partsOf(run);
  if (parts.length < 2) return false;
  return run.startsWith("/") || run.startsWith("~") || isFile(run);
}

function partsOf(path: string): readonly string[] {
  return path.split("/").filter((part) => !NO_PARTS.has(part));
}

function withoutTrailingDots(run: string): string {
  let end = run.length;
  while (end > 0 && run[end - 1] === ".") end -= 1;
  return run.slice(0, end);
}

/** Long words: only long ones are names of something, since short ones stand in any text. */
const LONG = 8;
const CASES = CHARACTER.lower | CHARACTER.upper;

/** The identifiers that a text names, each once: words of at least 8 characters that mix cases or hold `_`. @param text without reminders */
export function namesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  eachRun(text, CHARACTER.word, (start, end, length, bits) => {
    if (length < LONG) return;
    if ((bits & CHARACTER.underscore) !== 0 || (bits & CASES) === CASES) names.add(text.slice(start, end));
  });
  return names;
}
