import { isObject } from "../records/fields";

/**
 * Checks are commands that an agent repeats because something changed, so repeated output is not a re-fetch. They are tests, builds, linters, type
 * checks, and git's status, diff and log. The rules are in docs/method.md, "Re-fetched content".
 */

/** Names that agents give to tools that run a command in a shell. */
const SHELLS: ReadonlySet<string> = new Set([
  ...["Bash", "bash", "exec_command", "shell", "shell_command", "local_shell_call", "local_shell"],
  "run_shell_command",
]);

/** Commands that only check. */
const CHECKERS: ReadonlySet<string> = new Set([
  ...["pytest", "jest", "vitest", "mocha", "ava", "tsc", "tsgo", "eslint", "oxlint", "biome", "prettier", "ruff"],
  ...["flake8", "pylint", "mypy", "pyright", "golangci-lint", "staticcheck", "gofmt", "shellcheck", "rubocop", "rspec"],
  ...["phpunit", "phpstan", "ctest", "tox", "nox", "make", "ninja", "gradle", "gradlew", "mvn", "mvnw", "bazel"],
  ...["xcodebuild", "swiftlint"],
]);

/** Commands that check only with these subcommands. */
const SUBCOMMANDS: Readonly<Record<string, ReadonlySet<string>>> = {
  git: new Set(["status", "diff", "log"]),
  go: new Set(["test", "build", "vet", "fmt"]),
  cargo: new Set(["test", "build", "check", "clippy", "fmt"]),
  dotnet: new Set(["test", "build"]),
  swift: new Set(["test", "build"]),
  deno: new Set(["test", "check", "lint", "fmt"]),
  mix: new Set(["test", "compile", "format"]),
};

/** Options before a subcommand that take a separate value. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  ...["-C", "-c", "--filter", "-F", "--prefix", "--cwd", "--dir", "-w", "--workspace"],
]);

/** Programs that run scripts; a script's name describes its action. */
const SCRIPT_RUNNERS: ReadonlySet<string> = new Set([
  ...["npm", "pnpm", "yarn", "bun", "mise", "just", "task", "turbo", "nx", "rake"],
]);
const CHECKING_SCRIPT = /test|build|lint|check|tsc|fmt|format|verify|validate/;

/** Commands that run the command after them. */
const WRAPPERS: ReadonlySet<string> = new Set(["npx", "bunx", "pnpx", "uvx", "sudo", "time", "command", "rtk"]);
const WRAPPING_PAIRS: ReadonlySet<string> = new Set([
  ...["npm exec", "pnpm exec", "yarn exec", "pnpm dlx", "yarn dlx", "bun x", "uv run", "poetry run", "bundle exec"],
]);

/** Allowed prefixes of a command: a change of folder, a variable, a time limit. */
const BEFORE = [
  /\s*cd\s[^\n;&]*(?:&&|;|\n)\s*/y,
  /\s*[A-Za-z_][A-Za-z0-9_]*=(?:"[^"]*"|'[^']*'|[^\s"']*)\s+/y,
  /\s*timeout\s+\S+\s+/y,
];

/**
 * True if a call runs a check.
 * @param given its arguments: a JSON value, or the text if they are not JSON
 */
export function isCheck(tool: string, given: unknown): boolean {
  if (!SHELLS.has(tool)) return false;
  const command = commandOf(given);
  return command !== undefined && isCheckingCommand(command);
}

/**
 * Commands that a shell's call runs one after another, without folders, variables and time limits before them; empty for other calls.
 * @param given the call's arguments, as for `isCheck`
 */
export function shellCommands(tool: string, given: unknown): readonly string[] {
  const line = SHELLS.has(tool) ? commandOf(given) : undefined;
  const parts = line?.slice(lengthBefore(line)).split(/&&|;|\n/) ?? [];
  return parts.map((part) => part.slice(lengthBefore(part)).trim()).filter(Boolean);
}

/** Names that agents give to tools that update a to-do list. */
export const TO_DO: ReadonlySet<string> = new Set([
  ...["TodoWrite", "TaskCreate", "TaskUpdate", "todo_write", "todowrite", "write_todos", "update_plan"],
]);

/** Maximum characters of a command's name. */
const NAME_CHARS = 40;

/**
 * Name of the command that a shell's call runs, with its subcommand or script if it has any: `git diff`, `npm run build`, `cat`; `undefined` if the
 * call holds none. Folders, variables and time limits before it are left out.
 * @param given the call's arguments: a JSON value, or the text if they are not JSON
 */
export function commandName(given: unknown): string | undefined {
  const line = typeof given === "string" ? given : commandOf(given);
  if (line === undefined) return undefined;
  const name = nameOfWords(line.slice(lengthBefore(line)).trim().split(/\s+/));
  return name === "" ? undefined : name.slice(0, NAME_CHARS);
}

function nameOfWords([first = "", ...rest]: readonly string[]): string {
  const name = first.slice(first.lastIndexOf("/") + 1);
  if (WRAPPERS.has(name)) return nameOfWords(withoutOptions(rest));
  if (!Object.hasOwn(SUBCOMMANDS, name) && !SCRIPT_RUNNERS.has(name)) return name;
  const [word = "", script = ""] = withoutOptions(rest);
  return (word === "run" ? [name, word, script] : [name, word]).filter(Boolean).join(" ");
}

/** The command of a shell's call. */
function commandOf(given: unknown): string | undefined {
  if (!isObject(given)) return undefined;
  const value = given.command ?? given.cmd;
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return undefined;
  const words = value.filter((word): word is string => typeof word === "string");
  const isScript = words.length >= 3 && (words[1] === "-c" || words[1] === "-lc");
  return isScript ? words[2] : words.join(" ");
}

/** True if a command line begins with a check. */
export function isCheckingCommand(line: string): boolean {
  return isCheckingWords(line.slice(lengthBefore(line)).trim().split(/\s+/));
}

/** The length of the prefixes before the command itself. */
function lengthBefore(line: string): number {
  for (let at = 0; ; ) {
    const end = BEFORE.reduce((known, pattern) => Math.max(known, endOfMatch(pattern, line, at)), at);
    if (end === at) return at;
    at = end;
  }
}

/** End of a pattern's match at a position; the position itself without a match. */
function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function isCheckingWords([first = "", ...rest]: readonly string[]): boolean {
  const name = first.slice(first.lastIndexOf("/") + 1);
  const [next = ""] = rest;
  if (CHECKERS.has(name)) return true;
  if (name === "python" || name === "python3") {
    return next === "-m" && (CHECKERS.has(rest[1] ?? "") || rest[1] === "unittest");
  }
  if (WRAPPING_PAIRS.has(`${name} ${next}`)) return isCheckingWords(withoutOptions(rest.slice(1)));
  if (WRAPPERS.has(name)) return isCheckingWords(withoutOptions(rest));
  const [word = "", ...afterRun] = withoutOptions(rest);
  const subcommands = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  if (subcommands !== undefined) return subcommands.has(word);
  if (!SCRIPT_RUNNERS.has(name)) return false;
  return isCheckingScript(word === "run" ? (withoutOptions(afterRun)[0] ?? "") : word);
}

function isCheckingScript(name: string): boolean {
  return name === "t" || CHECKING_SCRIPT.test(name);
}

/** Words after the leading options. */
function withoutOptions(words: readonly string[]): readonly string[] {
  let at = 0;
  while (at < words.length && words[at]?.startsWith("-") === true) at += WITH_VALUE.has(words[at] ?? "") ? 2 : 1;
  return words.slice(at);
}
