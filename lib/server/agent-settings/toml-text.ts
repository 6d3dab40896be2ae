import { parse, TomlError } from "smol-toml";
import { objectOf } from "@/lib/agents/shared/json";
import type { SettingsTree } from "./json-text";

/** Parses a TOML settings file. @returns its values, or its error as a clause with its line */
export function tomlTree(text: string): SettingsTree | string {
  try {
    const root = parse(text);
    return {
      keysAt: (path) => Object.keys(objectOf(valueIn(root, path))),
      valueAt: (path) => {
        const value = valueIn(root, path);
        return value === undefined ? undefined : { value, line: lineOf(text, path) };
      },
    };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return `line ${error.line} is not valid TOML`;
  }
}

/** The line of a value: the first one that contains its key and completes the value when the text is parsed up to there. */
function lineOf(text: string, path: readonly string[]): number {
  const lines = text.split("\n");
  const key = path.at(-1) ?? "";
  const isComplete = (count: number) => {
    try {
      return valueIn(parse(lines.slice(0, count).join("\n")), path) !== undefined;
    } catch {
      return false; // The line is within a value of several lines.
    }
  };
  const at = lines.findIndex((line, index) => line.includes(key) && isComplete(index + 1));
  return at + 1 || lines.length;
}

function valueIn(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => {
    const table = objectOf(inner);
    return Object.hasOwn(table, key) ? table[key] : undefined;
  }, root);
}
