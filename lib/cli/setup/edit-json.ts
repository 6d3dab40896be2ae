import { applyEdits, getNodeValue, type JSONPath, modify } from "jsonc-parser";
import { parseJsonText } from "@/lib/server/agent-settings/json-text";
import { CliError, EXIT } from "../process/exit";

/**
 * Sets one value of a JSON text, or removes it with `undefined`; comments, order and indentation stay. Throws `CliError` if the text is not valid JSON
 * or holds something other than an object.
 * @param name of the file, for the error
 */
export function withJsonValue(text: string, name: string, path: JSONPath, value: unknown): string {
  const { root, problem } = parseJsonText(text);
  if (problem !== undefined) throw new CliError(EXIT.failed, `${name}: ${problem}; nothing was written.`);
  if (root !== undefined && root.type !== "object")
    throw new CliError(EXIT.failed, `${name} holds no settings, but a JSON ${root.type}; nothing was written.`);
  const before = root === undefined ? undefined : valueAt(getNodeValue(root), path);
  if (JSON.stringify(before) === JSON.stringify(value)) return text;
  const formattingOptions = { ...indentOf(text), eol: text.includes("\r\n") ? "\r\n" : "\n" };
  const [, mark = "", body = ""] = /^(\ufeff?)(.*)$/s.exec(text) ?? [];
  // Of an empty text, the parser would make an object without a final line break.
  const base = root === undefined ? `${body.trimEnd()}{}${formattingOptions.eol}` : body;
  return `${mark}${applyEdits(base, modify(base, path, value, { formattingOptions }))}`;
}

function valueAt(value: unknown, path: JSONPath): unknown {
  return path.reduce<unknown>(
    (inner, key) => (Object.hasOwn(Object(inner), key) ? Object(inner)[key] : undefined),
    value,
  );
}

/** Indentation of a text by its first indented line; two spaces by default. */
function indentOf(text: string) {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return { insertSpaces: !indent.startsWith("\t"), tabSize: indent.startsWith("\t") ? 1 : indent.length };
}
