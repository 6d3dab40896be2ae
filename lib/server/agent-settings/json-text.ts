import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  type ParseErrorCode,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";

/** A value in a settings file, with its line, from 1. */
export interface StatedValue {
  readonly value: unknown;
  readonly line: number;
}

/** The values of a parsed text by key path. */
export interface SettingsTree {
  readonly valueAt: (path: readonly string[]) => StatedValue | undefined;
  /** Keys of the object or table at a path; empty for any other value. */
  readonly keysAt: (path: readonly string[]) => readonly string[];
}

/** A JSON text that may have comments and trailing commas, as editors and agents write their settings. */
export interface JsonText {
  /** Absent if the text holds no value. */
  readonly root: Node | undefined;
  /** The first error as a clause with its line; absent if there is none. Comments and trailing commas are allowed. */
  readonly problem: string | undefined;
}

/** Parses a JSON text with comments. Never throws; after an error, the rest of the text is still parsed. */
export function parseJsonText(text: string): JsonText {
  // Agents accept a byte order mark, but the parser does not. A space in its place keeps every offset.
  const body = text.replace(/^\ufeff/, " ");
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const first = errors[0];
  const problem =
    first === undefined ? undefined : `line ${lineAt(body, first.offset)} ${CLAUSES[nameOf(first)] ?? OTHER}`;
  return { root, problem };
}

/** Parses a JSON settings file; an empty one states nothing. @returns its values, or its error as a clause with its line */
export function jsonTree(text: string): SettingsTree | string {
  const { root, problem } = parseJsonText(text);
  if (problem !== undefined) return problem;
  if (root !== undefined && root.type !== "object") return `line 1 holds a JSON ${root.type}, not settings`;
  const nodeAt = (path: readonly string[]) => root && findNodeAtLocation(root, [...path]);
  return {
    keysAt: (path) => objectKeys(nodeAt(path)),
    valueAt: (path) => {
      const node = nodeAt(path);
      return node && { value: getNodeValue(node), line: lineAt(text, node.offset) };
    },
  };
}

function objectKeys(node: Node | undefined): readonly string[] {
  if (node?.type !== "object") return [];
  return (node.children ?? []).map(({ children }) => String(children?.[0]?.value));
}

/** Number of the line that holds an offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function nameOf({ error }: ParseError): string {
  return printParseErrorCode(error as ParseErrorCode);
}

const OTHER = "is not valid JSON";

const CLAUSES: Readonly<Record<string, string>> = {
  CommaExpected: "is not valid JSON: a comma is missing before it",
  ColonExpected: "is not valid JSON: a colon is missing",
  CloseBraceExpected: "is not valid JSON: a } is missing",
  CloseBracketExpected: "is not valid JSON: a ] is missing",
  UnexpectedEndOfString: "is not valid JSON: a string does not end",
  UnexpectedEndOfComment: "is not valid JSON: a comment does not end",
};
