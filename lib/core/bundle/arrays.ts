import { ITEM_CATEGORIES } from "../base/categories";
import type { AnyArray } from "../columns/codec";
import {
  BOUNDARY_KINDS,
  COLUMNS_VERSION,
  EXTRA,
  EXTRA_KINDS,
  KIND,
  KINDS,
  ORIGINS,
  type RaggedColumn,
  ROLES,
  type SessionColumns,
  TRIGGERS,
} from "../columns/columns";

/** First characters of a bundle. No agent's record has this key. */
export const BUNDLE_START = '{"contextReplayBundle":';

/** Numbers of rows of the tables that arrays describe or point into. */
interface BundleSizes {
  readonly items: number;
  readonly requests: number;
  readonly boundaries: number;
  readonly extra: number;
}

/** Maximum rows of any table in a bundle: eight times those of a recording of 1 GB. */
export const MAX_ROWS = 4_000_000;
const LARGEST = 2 ** 31 - 1;

/** Thrown for a bundle that is damaged, or that no export can have written. */
export class BundleError extends Error {
  override name = "BundleError";
}

/** Limits that depend on the session. */
type Counts = BundleSizes & { readonly [table in "tools" | "files" | "models" | "terms"]: number };

/** An array of the columns, with its allowed values. */
interface ArraySpec {
  /** Its path in the columns. */
  readonly name: string;
  readonly type: "u1" | "i4" | "f8";
  /** Table whose rows it describes. The values of a list of lists have their own number of rows. */
  readonly rows: keyof BundleSizes | "offsets" | "values";
  readonly least: number;
  /** The largest value, or the table that the values are indices into. */
  readonly most: number | keyof Counts;
  /** True if a value may also equal the number of rows: one past the last. */
  readonly mayEnd?: boolean;
  readonly ascends?: boolean;
  /** The value of every row in a bundle of the first version, which does not have the array. */
  readonly without?: number;
}

function all(names: readonly string[], rest: Omit<ArraySpec, "name">): readonly ArraySpec[] {
  return names.map((name) => ({ name, ...rest }));
}

const TIME = { type: "f8", least: 0, most: Number.MAX_SAFE_INTEGER } as const;
const ORDER = { type: "i4", least: 0, mayEnd: true, ascends: true } as const;

function requestSpecs(rows: "requests" | "extra"): readonly ArraySpec[] {
  const of = (...names: readonly string[]) => names.map((name) => `${rows}.${name}`);
  const usage = of("input", "cacheRead", "cacheWrite", "cacheWrite1h", "output", "reasoning", "webSearches", "line");
  return [
    ...all(of("firstItem"), { ...ORDER, rows, most: "items", ascends: rows === "requests" }),
    ...all(usage, { type: "i4", rows, least: -1, most: LARGEST }),
    ...all(of("at", "billedAt", "ownCost"), { ...TIME, rows }),
    ...all(of("terms"), { type: "i4", rows, least: -1, most: "terms" }),
    ...all(of("model"), { type: "i4", rows, least: -1, most: "models" }),
    ...all(of("inherited"), { type: "u1", rows, least: 0, most: 1, without: 0 }),
    ...all(of("response"), { ...TIME, rows, without: Number.NaN }),
    // In a bundle of the first version, `FLAG.PARTIAL_OUTPUT` of items holds it for the main chain.
    ...all(of("partial"), { type: "u1", rows, least: 0, most: 1, without: rows === "extra" ? 1 : 0 }),
  ];
}

function code(name: string, rows: ArraySpec["rows"], values: readonly unknown[]): ArraySpec {
  return { name, type: "u1", rows, least: 0, most: values.length - 1 };
}

/** Every array of the columns except token columns and measures. */
const ARRAYS: readonly ArraySpec[] = [
  ...all(["bytes", "chars"], { type: "i4", rows: "items", least: 0, most: LARGEST }),
  code("category", "items", ITEM_CATEGORIES),
  code("kind", "items", KINDS),
  code("role", "items", ROLES),
  code("origin", "items", ORIGINS),
  { name: "flags", type: "u1", rows: "items", least: 0, most: 255 },
  ...all(["message", "turn"], { type: "i4", rows: "items", least: -1, most: MAX_ROWS }),
  { name: "pair", type: "i4", rows: "items", least: -1, most: "items" },
  { name: "tool", type: "i4", rows: "items", least: -1, most: "tools" },
  { name: "file", type: "i4", rows: "items", least: -1, most: "files" },
  { name: "line", type: "i4", rows: "items", least: -1, most: LARGEST },
  { name: "at", ...TIME, rows: "items" },
  ...requestSpecs("requests"),
  ...requestSpecs("extra"),
  { ...code("extra.kind", "extra", EXTRA_KINDS), without: EXTRA.subagent },
  { name: "extra.point", type: "i4", rows: "extra", least: -1, most: "requests", without: -1 },
  { name: "extra.boundary", type: "i4", rows: "extra", least: -1, most: "boundaries", without: -1 },
  { name: "extra.furtherPass", type: "u1", rows: "extra", least: 0, most: 1, without: 0 },
  { name: "boundaries.item", ...ORDER, rows: "boundaries", most: "items" },
  { name: "boundaries.request", ...ORDER, rows: "boundaries", most: "requests" },
  { name: "boundaries.line", type: "i4", rows: "boundaries", least: -1, most: LARGEST },
  code("boundaries.kind", "boundaries", BOUNDARY_KINDS),
  code("boundaries.trigger", "boundaries", TRIGGERS),
  ...["boundaries.tokensBefore", "boundaries.tokensAfter"].map(
    (name): ArraySpec => ({ name, type: "i4", rows: "boundaries", least: -1, most: LARGEST }),
  ),
  ...["boundaries.kept", "boundaries.cleared"].flatMap((name): ArraySpec[] => [
    { name: `${name}.offset`, type: "i4", rows: "offsets", least: 0, most: LARGEST, ascends: true },
    { name: `${name}.value`, type: "i4", rows: "values", least: 0, most: "items" },
  ]),
];

/** Numbers as read from a file; `null` means absent. */
export type Values = readonly (number | null)[];

/** Every array of some columns by its name, except token columns and measures. */
export function* arraysOf(columns: SessionColumns): Generator<readonly [name: string, array: AnyArray]> {
  for (const { name } of ARRAYS) {
    const array = name.split(".").reduce<unknown>((at, key) => (at as Readonly<Record<string, unknown>>)[key], columns);
    yield [name, array as AnyArray]; // `ARRAYS` names only arrays of the columns
  }
}

/** Builds columns from untrusted arrays: sizes, indices and order are checked, so that later computations stay in bounds. Throws `BundleError`. */
export function columnsOfArrays(
  sizes: BundleSizes & { readonly overheadRows: number },
  tables: SessionColumns["tables"],
  arrays: ReadonlyMap<string, Values>,
): SessionColumns {
  const { tools, files, models, terms } = tables;
  const counts = { ...sizes, tools: tools.length, files: files.length, models: models.length, terms: terms.length };
  const made: Record<string, AnyArray> = {};
  for (const spec of ARRAYS) made[spec.name] = arrayOf(spec, arrays.get(spec.name), counts);
  checkPairs(made.kind, made.pair);
  const list = (name: string) => checkedList(name, made[`${name}.offset`], made[`${name}.value`]);
  const below = (prefix: string) =>
    Object.fromEntries(
      Object.entries(made)
        .filter(([name]) => name.startsWith(prefix) && !name.slice(prefix.length).includes("."))
        .map(([name, array]) => [name.slice(prefix.length), array]),
    );
  return {
    version: COLUMNS_VERSION,
    length: sizes.items,
    overheadRows: sizes.overheadRows,
    tokens: {},
    measures: {},
    tables,
    ...below(""),
    requests: { length: sizes.requests, ...below("requests.") },
    extra: { length: sizes.extra, ...below("extra.") },
    boundaries: {
      length: sizes.boundaries,
      ...below("boundaries."),
      kept: list("boundaries.kept"),
      cleared: list("boundaries.cleared"),
    },
  } as unknown as SessionColumns; // `ARRAYS` names every array of the columns; a test checks this
}

/** Checks that a call points to its first result, and a result to the call before it. Throws `BundleError`. */
function checkPairs(kind: AnyArray | undefined, pair: AnyArray | undefined): void {
  for (const [row, other] of pair?.entries() ?? []) {
    if (other < 0) continue;
    const [call, result] = row < other ? [row, other] : [other, row];
    const first = pair?.[call] ?? -1;
    const isPair = kind?.[call] === KIND.tool_call && kind[result] === KIND.tool_result && pair?.[result] === call;
    if (!isPair || first <= call || first > result)
      throw new BundleError(`pair: ${other} in row ${row} is not possible`);
  }
}

function arrayOf(spec: ArraySpec, values: Values | undefined, counts: Counts): AnyArray {
  const { name, type, rows, least, most, mayEnd = false, ascends = false, without } = spec;
  if (values === undefined) {
    if (without === undefined || rows === "values" || rows === "offsets") throw new BundleError(`${name} is missing`);
    return emptyArray(type, counts[rows]).fill(without);
  }
  if (rows !== "values" && values.length !== (rows === "offsets" ? counts.boundaries + 1 : counts[rows]))
    throw new BundleError(`${name} has ${values.length} rows`);
  return numbers(name, type, values, {
    least,
    most: typeof most === "number" ? most : counts[most] - (mayEnd ? 0 : 1),
    ascends,
  });
}

function emptyArray(type: ArraySpec["type"], length: number): AnyArray {
  if (type === "f8") return new Float64Array(length);
  return type === "i4" ? new Int32Array(length) : new Uint8Array(length);
}

/** Converts numbers to a typed array. Throws `BundleError` if one is not a number of that type, or outside the limits. */
export function numbers(
  name: string,
  type: ArraySpec["type"],
  values: Values,
  { least, most, ascends = false }: { readonly least: number; readonly most: number; readonly ascends?: boolean },
): AnyArray {
  const array = emptyArray(type, values.length);
  let before = least;
  for (const [row, value] of values.entries()) {
    const isNone = value === null && type === "f8";
    if (!isNone && !(value !== null && value >= before && value <= most && (type === "f8" || Number.isInteger(value))))
      throw new BundleError(`${name}: ${value} in row ${row} is not possible`);
    array[row] = value ?? Number.NaN;
    if (ascends && value !== null) before = value;
  }
  return array;
}

/** A list of lists with consistent offsets. Throws `BundleError`. */
export function checkedList(name: string, offset: AnyArray | undefined, value: AnyArray | undefined): RaggedColumn {
  if (!(offset instanceof Int32Array && value instanceof Int32Array)) throw new BundleError(`${name} is missing`);
  if (offset[0] !== 0 || offset.at(-1) !== value.length) throw new BundleError(`${name} does not fit together`);
  return { offset, value };
}
