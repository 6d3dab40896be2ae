import { stripAnsi } from "./ansi";

/** Characters of one line of the list: more than the widest screen shows. */
const LINE_CHARS = 400;

/** Arguments that best describe a call, for any tool name; the first match counts. A search's pattern comes before its folder. */
const TELLING = [
  ...["command", "cmd", "pattern", "file_path", "path", "query", "url", "subject", "description", "prompt", "input"],
  ...["todos", "plan", "questions"],
];

/** Fields that best describe an entry of a list, such as a task or a question. */
const TELLING_ENTRY = ["question", "content", "step", "description", "title", "text"];

/**
 * The head that some tools write above their output: one fact per line, then the line after which the output begins. A preview leaves it out, because
 * it does not describe the output. Source: outputs of Codex 0.104 to 0.142.5 (`exec_command`, `write_stdin`, `apply_patch`, MCP tools) as recorded.
 */
const OUTPUT_HEAD =
  /^(?:(?:Chunk ID|Wall time|Exit code|Process (?:exited|running)|Original token count|Total output lines)\b.*\n){1,8}Output:\n/;

/**
 * One line that represents a whole text: white space folded, terminal colours stripped, truncated to the width of a row.
 * @param project the session's folder: paths in calls are shortened to it
 */
export function previewLine(text: string, kind: string, project: string | null): string {
  if (kind === "tool_call") return fromProject(asOneLine(callLine(text)), project);
  const line = asOneLine(kind === "tool_result" ? text.slice(outputHead(text).length) : text);
  return line === "" ? asOneLine(text) : line;
}

/** The head above a tool's output; empty without one. */
export function outputHead(text: string): string {
  return OUTPUT_HEAD.exec(text)?.[0] ?? "";
}

/** Characters of a call's subject before its result: enough for a path or a usual command. */
const SUBJECT_CHARS = 120;

/**
 * The subject of a result, taken from its call's line: a path, a command, a pattern.
 * @param call text of the call
 */
export function subjectLine(call: string, project: string | null): string {
  const line = previewLine(call, "tool_call", project);
  return line.length > SUBJECT_CHARS ? `${line.slice(0, SUBJECT_CHARS)}…` : line;
}

function asOneLine(text: string): string {
  return stripAnsi(text.slice(0, LINE_CHARS * 4))
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, LINE_CHARS);
}

function callLine(text: string): string {
  const args = callArguments(text);
  if (args === undefined) return text;
  const key = TELLING.find((name) => isTelling(args[name])) ?? Object.keys(args).find((name) => isTelling(args[name]));
  return key === undefined ? text : asLine(args[key]);
}

function isTelling(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || (Array.isArray(value) && value.length > 0);
}

function asLine(value: unknown): string {
  if (!Array.isArray(value)) return String(value);
  if (value.every((one) => typeof one === "string")) return value.join(" ");
  // For a list of tasks, the task in progress.
  const active = value.find((one) => isRecord(one) && one.status === "in_progress");
  return (active === undefined ? value : [active]).map(entryLine).join(" · ");
}

function entryLine(entry: unknown): string {
  if (!isRecord(entry)) return String(entry);
  return textOf(entry, ...TELLING_ENTRY) ?? JSON.stringify(entry);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A call's line relative to the session's project. Paths lose the project's folder, which the page's header names, and a `cd`
 * into that folder before a command is left out.
 * @param project folder as in the file; null if it names none
 */
export function fromProject(line: string, project: string | null): string {
  const folder = project?.replace(/[/\\]+$/, "") ?? "";
  if (folder === "") return line;
  const starts = [folder, `"${folder}"`, `'${folder}'`].map((name) => `cd ${name} && `);
  const prefix = starts.find((start) => line.startsWith(start)) ?? "";
  return line.slice(prefix.length).replaceAll(`${folder}/`, "").replaceAll(`${folder}\\`, "");
}

/** Splits a path into its last part and the rest before it. */
export function pathParts(path: string): { readonly base: string; readonly folder: string } {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return at < 0 || at === path.length - 1
    ? { base: path, folder: "" }
    : { base: path.slice(at + 1), folder: path.slice(0, at + 1) };
}

/** The arguments of a call as an object; `undefined` if they are not one, or truncated. */
export function callArguments(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // The arguments are not JSON, or truncated.
  }
}

/** The first string among the values of some arguments. */
export function textOf(args: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (typeof value === "string") return value;
  }
  return undefined;
}
