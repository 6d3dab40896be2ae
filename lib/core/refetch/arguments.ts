import { isObject } from "../records/fields";

/** First line of a patch. The rules for the arguments of calls are in docs/method.md, "Re-fetched content". */

const PATCH = "*** Begin Patch";
/** The lines of a patch that name files. */
const PATCHED_FILE = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to):/;

/** Arguments that hold written or replaced text: a path in such a text does not use the file. The same names in nested values mean other things. */
const PAYLOADS: ReadonlySet<string> = new Set([
  ...["content", "old_string", "new_string", "oldText", "newText", "new_source", "edits", "input", "patch"],
]);
/** Arguments that hold the text that an edit replaces. */
const REPLACED: ReadonlySet<string> = new Set(["old_string", "oldText"]);

interface CallArguments {
  /** The JSON value, or the text if it is not JSON. */
  readonly value: unknown;
  /** Calls with equal arguments have equal texts, in any order of the keys. */
  readonly key: string;
  readonly texts: readonly string[];
  /** The texts without written or replaced ones. */
  readonly used: readonly string[];
  /** The old text of every edit; of a patch, its context and the lines that it removes. */
  readonly replaced: readonly string[];
  /** True if they hold a text that is written or replaced: the output of such a call only acknowledges the write. */
  readonly writes: boolean;
}

/**
 * Reads a call's arguments.
 * @param text as JSON; any other text is one written argument, such as a patch
 */
export function callArguments(text: string): CallArguments {
  const value = parsed(text);
  const found: Found = { texts: [], used: [], replaced: [], writes: false };
  if (typeof value === "string") collectText(value, "", true, found);
  else if (isObject(value)) for (const [key, one] of Object.entries(value)) collect(one, key, PAYLOADS.has(key), found);
  else collect(value, "", false, found);
  return { value, key: typeof value === "string" ? value : sortedJson(value), ...found };
}

interface Found {
  readonly texts: string[];
  readonly used: string[];
  readonly replaced: string[];
  writes: boolean;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : text;
  } catch {
    // A call whose arguments are free text, or were cut off.
    return text;
  }
}

/**
 * @param key the value's own name
 * @param isPayload true inside an argument that is a payload
 */
function collect(value: unknown, key: string, isPayload: boolean, found: Found): void {
  if (typeof value === "string") collectText(value, key, isPayload, found);
  else if (Array.isArray(value)) for (const one of value) collect(one, key, isPayload, found);
  else if (isObject(value)) for (const [own, one] of Object.entries(value)) collect(one, own, isPayload, found);
}

function collectText(text: string, key: string, isPayload: boolean, found: Found): void {
  const { texts, used, replaced } = found;
  texts.push(text);
  if (isPayload) found.writes = true;
  if (text.includes(PATCH)) {
    found.writes = true;
    const lines = text.split("\n");
    used.push(lines.filter((line) => PATCHED_FILE.test(line)).join("\n"));
    replaced.push(lines.filter((line) => line.startsWith(" ") || line.startsWith("-")).join("\n"));
    return;
  }
  if (!isPayload) used.push(text);
  if (REPLACED.has(key)) replaced.push(text);
}

/** JSON with sorted keys. The recursion ends, because the arguments come from parsed text. */
function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sortedJson(value[key])}`).join(",")}}`;
}
