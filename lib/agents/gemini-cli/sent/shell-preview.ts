import { writtenAs } from "@/lib/core/transcript/fields";
import { type JsonObject, jsonOf } from "../../json";

/** How many lines stay at either end of a long output. */
const END_LINES = 10;
const LABEL = /^(Output|Error|Exit Code|Signal|Background PIDs|Process Group PGID): /gm;

/**
 * What a masked shell output shows: the ends of its text, section by labelled section, and how the command ended. Source: README.md, "Masking".
 */
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
