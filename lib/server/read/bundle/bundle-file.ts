import { MAX_CONTEXT } from "@/lib/core/base/units";
import { BundleError, checkedList, columnsOfArrays, MAX_ROWS, numbers, type Values } from "@/lib/core/bundle/arrays";
import type { SessionColumns } from "@/lib/core/columns/columns";
import { NestingError, parseJson } from "@/lib/core/records/nesting";
import { type BundleHeader, bundleHeader } from "@/lib/queries/contract/bundle";

/** Maximum length of the first line, and of a line of numbers: `MAX_ROWS` of eleven characters. */
const MAX_HEADER = 32 << 20;
const MAX_LINE = 48 << 20;

/** A line of numbers alone, or one that refers to an earlier line. */
const LINE = /^\{"column":"([\w:.@-]{1,120})",(?:"values":\[[-+\d.,enul]*\]|"as":"([\w:.@-]{1,120})")\}$/i;

export interface Bundle {
  readonly header: BundleHeader;
  /** Without token columns and measures. */
  readonly columns: SessionColumns;
  /** Tokens of every row, by estimator. */
  readonly tokens: ReadonlyMap<string, Int32Array>;
  /** Policies' data beyond tokens, by the name under which they request it, as `SessionColumns.measures`. */
  readonly measures: ReadonlyMap<string, Readonly<Record<string, Int32Array>>>;
}

/** Reads an untrusted bundle. Throws `BundleError`, whose message is a sentence without a full stop. */
export function parseBundle(text: string): Bundle {
  const lines = linesOf(text);
  const header = headerOf(lines.next().value ?? "");
  const arrays = new Map<string, Values>();
  for (const line of lines) {
    const [name, values] = arrayOf(line, arrays);
    if (arrays.has(name)) throw new BundleError(`${name} is there twice`);
    arrays.set(name, values);
    if (arrays.size > header.lines) throw new BundleError("it has more lines than it says");
  }
  if (arrays.size < header.lines) throw new BundleError("it is cut off");
  return bundleOf(header, arrays);
}

function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const to = end < 0 ? text.length : end;
    yield text.slice(from, text[to - 1] === "\r" ? to - 1 : to);
    from = to + 1;
  }
}

function headerOf(line: string): BundleHeader {
  if (line.length > MAX_HEADER) throw new BundleError("its first line is too long");
  const result = bundleHeader.safeParse(parsed(line));
  if (result.success) return result.data;
  const { path = [], message = "" } = result.error.issues[0] ?? {};
  throw new BundleError(`${path.map(String).join(".") || "its first line"}: ${message}`);
}

function arrayOf(line: string, known: ReadonlyMap<string, Values>): readonly [name: string, values: Values] {
  const [, written = "", named] = line.length > MAX_LINE ? [] : (LINE.exec(line) ?? []);
  const [name, as] = [currentName(written), named === undefined ? undefined : currentName(named)];
  if (name === "") throw new BundleError("a line of it is not a list of numbers");
  if (as === undefined) return [name, (parsed(line) as { readonly values: Values }).values]; // `LINE` has this format.
  const values = known.get(as);
  if (values === undefined) throw new BundleError(`${name} is to be as ${as}, which is not there`);
  return [name, values];
}

function parsed(line: string): unknown {
  try {
    return parseJson(line);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof NestingError) throw new BundleError("a line of it is damaged");
    throw error;
  }
}

function bundleOf(header: BundleHeader, arrays: ReadonlyMap<string, Values>): Bundle {
  const { rows, tables } = header;
  if (rows.overheadRows > rows.items || tables.overhead.length !== rows.overheadRows)
    throw new BundleError("its overhead does not fit its items");
  const tokens = new Map<string, Int32Array>();
  const measures = new Map<string, Record<string, Int32Array>>();
  for (const [name, values] of arrays) {
    const [kind, id = "", measure] = name.split(":");
    if (kind === "tokens" && measure === undefined)
      tokens.set(id, ints(name, ofRows(name, values, rows.items), 0, MAX_CONTEXT));
    else if (kind === "measures" && measure !== undefined)
      measures.set(id, { ...measures.get(id), [measure]: measureOf(name, values, rows.items) });
    else if (name.includes(":")) throw new BundleError(`${name} is not an array of a bundle`);
  }
  for (const [id, own] of measures) checkLists(id, own);
  // Fields that JSON omits are not keys here either.
  const terms = tables.terms as SessionColumns["tables"]["terms"];
  const sizes = { ...rows, extra: rows.extra ?? rows.sidechains ?? 0 };
  return { header, columns: columnsOfArrays(sizes, { ...tables, terms }, arrays), tokens, measures };
}

/** The current name of an array of columns: `extra` replaces `sidechains`. */
function currentName(name: string): string {
  return name.replace(/^sidechains\./, "extra.");
}

function ofRows(name: string, values: Values, rows: number): Values {
  if (values.length !== rows) throw new BundleError(`${name} has ${values.length} rows`);
  return values;
}

/** A measure has a row for every item, unless it is one of the two parts of a list of lists. */
function measureOf(name: string, values: Values, rows: number): Int32Array {
  if (name.endsWith(".offset")) return ints(name, ofRows(name, values, rows + 1), 0, MAX_CONTEXT, true);
  // The values number lines and paths in order of first occurrence, or count lines.
  if (name.endsWith(".value")) return ints(name, values, 0, MAX_ROWS);
  return ints(name, ofRows(name, values, rows), -MAX_CONTEXT, MAX_CONTEXT);
}

function checkLists(id: string, measures: Readonly<Record<string, Int32Array>>): void {
  for (const [name, array] of Object.entries(measures))
    if (name.endsWith(".offset")) checkedList(`${id}:${name}`, array, measures[name.replace(/offset$/, "value")]);
}

function ints(name: string, values: Values, least: number, most: number, ascends = false): Int32Array {
  // Arrays of this type have this format.
  return numbers(name, "i4", values, { least, most, ascends }) as Int32Array;
}
