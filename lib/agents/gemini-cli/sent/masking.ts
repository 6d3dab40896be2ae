import { isObject, type JsonObject, jsonOf, textOf } from "@/lib/agents/shared/json";
import { writtenAs } from "@/lib/core/records/fields";
import { MASKED_TAG } from "../base/constants";
import { type Part, responseOf } from "../messages/content";

/** Tools whose output is never masked. */
const EXEMPT = new Set(["activate_skill", "ask_user", "enter_plan_mode", "exit_plan_mode"]);
const SHELL = "run_shell_command";
const PREVIEW_CHARS = 500;

/** The path to which the program saves an output, from a tool's name and a call id that are both already safe for paths. */
export type OutputPath = (tool: string, callId: string) => string;

/** True if the part is a tool's output that may be masked, and is not masked yet. */
export function isMaskable(part: Part): boolean {
  const response = responseOf(part);
  if (!response?.response || EXEMPT.has(textOf(response.name))) return false;
  return !jsonOf(response.response, 2).includes(MASKED_TAG);
}

/** The part with a preview instead of its output. */
export function maskedPart(part: Part, pathOf: OutputPath): Part {
  const response = responseOf(part) ?? {};
  const tool = textOf(response.name);
  const answer: JsonObject = isObject(response.response) ? response.response : {};
  const preview = tool === SHELL ? shellPreview(answer) : plainPreview(jsonOf(response.response, 2));
  const path = pathOf(safeName(tool), safeName(textOf(response.id)));
  const output = `${MASKED_TAG}>\n${preview}\n\nOutput too large. Full output available at: ${path}\n</tool_output_masked>`;
  return { ...part, functionResponse: { ...response, response: { output } } };
}

function plainPreview(content: string): string {
  if (content.length <= PREVIEW_CHARS) return content;
  const half = PREVIEW_CHARS / 2;
  return `${content.slice(0, half)}\n... [TRUNCATED] ...\n${content.slice(-half)}`;
}

function safeName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, "_").toLowerCase();
}

/** Number of lines kept at either end of a long output. */
const END_LINES = 10;
const LABEL = /^(Output|Error|Exit Code|Signal|Background PIDs|Process Group PGID): /gm;

/** Preview of a masked shell output: the ends of its text, section by labelled section, and how the command ended. Source: README.md, "Masking". */
export function shellPreview(response: JsonObject): string {
  const shown = shownOutput(response);
  return `${sectioned(shown)}${ending(response, shown)}`;
}

function shownOutput({ output, stdout }: JsonObject): string {
  const value = output || stdout || "";
  if (typeof value === "string") return value;
  return typeof value === "object" ? jsonOf(value) : writtenAs(value);
}

function sectioned(text: string): string {
  const labels = [...text.matchAll(LABEL)];
  if (labels.length === 0) return endsOf(text);
  const before = text.slice(0, labels[0]?.index ?? 0).trim();
  const sections = labels.map((match, index) => {
    const label = match[1] ?? "";
    const body = text.slice(match.index + match[0].length, labels[index + 1]?.index ?? text.length).trim();
    return `${label}: ${label === "Output" ? endsOf(body) : body}`;
  });
  return [...(before === "" ? [] : [endsOf(before)]), ...sections].join("\n");
}

/** A text of more than twenty lines is reduced to its first and last ten. */
function endsOf(text: string): string {
  const lines = text.split("\n");
  if (lines.length <= 2 * END_LINES) return text;
  const omitted = lines.length - 2 * END_LINES;
  const [first, last] = [lines.slice(0, END_LINES), lines.slice(-END_LINES)];
  return `${first.join("\n")}\n\n... [${omitted} lines omitted] ...\n\n${last.join("\n")}`;
}

function ending(response: JsonObject, shown: string): string {
  const code = response.exitCode ?? response.exit_code;
  const { error } = response;
  const exit =
    code !== undefined && code !== null && code !== 0 && !shown.includes(`Exit Code: ${writtenAs(code)}`)
      ? `\n[Exit Code: ${writtenAs(code)}]`
      : "";
  return error && !shown.includes(`Error: ${writtenAs(error)}`) ? `${exit}\n[Error: ${writtenAs(error)}]` : exit;
}
