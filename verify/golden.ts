import { isObject, objectOf } from "@/lib/agents/shared/json";

/**
 * Golden cases: inputs together with the real programs' answers (`conformance` command, docs/golden-cases.md). An adapter translates names and
 * shapes only; the functions that it calls are those that the product uses.
 */

export interface GoldenCase {
  readonly id: string;
  readonly input: unknown;
  readonly expected?: unknown;
  /** Message of the error that the program throws. */
  readonly throws?: string;
  /** Number of calls to the summarising model, or the list of them. */
  readonly modelCalls?: unknown;
}

export interface GoldenFile {
  readonly system: string;
  readonly preset: string;
  readonly function: string;
  readonly constants?: Readonly<Record<string, unknown>>;
  readonly cases: readonly GoldenCase[];
}

/** Further input of an adapter. */
export interface GoldenContext {
  readonly preset: string;
  readonly id: string;
  readonly constants: Readonly<Record<string, unknown>>;
}

/** Answers one case in the shape of its `expected`. Throws the same errors as the program. */
export type GoldenAdapter = (input: unknown, context: GoldenContext) => unknown | Promise<unknown>;

/** An agent's adapters by function name. */
export type Conformance = Readonly<Record<string, GoldenAdapter>>;

/** An answer together with the calls to the summarising model that led to it. */
export class AnswerWithCalls {
  constructor(
    readonly value: unknown,
    readonly modelCalls: unknown,
  ) {}
}

export interface GoldenResult {
  readonly id: string;
  /** The difference; absent if the case passed. */
  readonly difference?: string;
}

/** Hex SHA-256 of a text's UTF-8 bytes. The host supplies it. */
type Sha256 = (text: string) => string;

/** Runs every case of a file through its adapter. */
export async function runGoldenFile(file: GoldenFile, adapter: GoldenAdapter, sha256: Sha256): Promise<GoldenResult[]> {
  const constants = objectOf(expandGolden(file.constants ?? {}));
  const results: GoldenResult[] = [];
  for (const golden of file.cases) {
    const difference = await runCase(golden, adapter, { preset: file.preset, id: golden.id, constants }, sha256);
    results.push({ id: golden.id, ...(difference === undefined ? {} : { difference }) });
  }
  return results;
}

async function runCase(
  golden: GoldenCase,
  adapter: GoldenAdapter,
  context: GoldenContext,
  sha256: Sha256,
): Promise<string | undefined> {
  const throws = golden.throws ?? expectedThrow(golden.expected);
  let answer: unknown;
  try {
    answer = await adapter(expandGolden(golden.input), context);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message === throws ? undefined : `threw ${message}`;
  }
  if (throws !== undefined) return `did not throw ${throws}`;
  const { value, modelCalls } = answer instanceof AnswerWithCalls ? answer : { value: answer, modelCalls: undefined };
  const difference = differenceOf(value, expandGolden(golden.expected ?? null), "", sha256);
  if (difference !== undefined || golden.modelCalls === undefined || modelCalls === undefined) return difference;
  return differenceOf(modelCalls, expandGolden(golden.modelCalls), "modelCalls", sha256);
}

function expectedThrow(expected: unknown): string | undefined {
  const throws = isObject(expected) ? expected.throws : undefined;
  return typeof throws === "string" ? throws : undefined;
}

/** Expands `{"$repeat": [text, n]}` and `{"$concat": [...]}` recursively, and keeps the order of properties. */
export function expandGolden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expandGolden);
  if (!isObject(value)) return value;
  if (Array.isArray(value.$repeat)) return String(expandGolden(value.$repeat[0])).repeat(Number(value.$repeat[1]));
  if (Array.isArray(value.$concat)) return value.$concat.map(expandGolden).join("");
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, expandGolden(entry)]));
}

/**
 * Differences of an answer from the expected one; `undefined` if they agree. Only the keys that an expected object has are judged. `undefined`
 * is written as `null`, non-finite numbers as strings, long strings as `{"$string": {length, sha256, head, tail}}`.
 */
export function differenceOf(got: unknown, expected: unknown, path: string, sha256: Sha256): string | undefined {
  if (expected === null) return got === null || got === undefined ? undefined : mismatch(path, got, expected);
  if (typeof expected === "string" && typeof got === "number") {
    return String(got) === expected ? undefined : mismatch(path, got, expected);
  }
  if (Array.isArray(expected)) return listDifference(got, expected, path, sha256);
  if (!isObject(expected))
    return Object.is(got, expected) || got === expected ? undefined : mismatch(path, got, expected);
  if (isObject(expected.$string)) return longStringDifference(got, expected.$string, path, sha256);
  if (!isObject(got)) return mismatch(path, got, expected);
  for (const [key, value] of Object.entries(expected)) {
    const difference = differenceOf(got[key], value, `${path}.${key}`, sha256);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function listDifference(got: unknown, expected: readonly unknown[], path: string, sha256: Sha256): string | undefined {
  if (!Array.isArray(got)) return mismatch(path, got, expected);
  if (got.length !== expected.length) return `${path}: ${got.length} entries, expected ${expected.length}`;
  for (const [index, value] of expected.entries()) {
    const difference = differenceOf(got[index], value, `${path}[${index}]`, sha256);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function longStringDifference(
  got: unknown,
  expected: Readonly<Record<string, unknown>>,
  path: string,
  sha256: Sha256,
): string | undefined {
  if (typeof got !== "string") return mismatch(path, got, expected);
  if (got.length !== expected.length) return `${path}: a string of ${got.length} units, expected ${expected.length}`;
  if (typeof expected.sha256 === "string" && sha256(got) !== expected.sha256) return `${path}: another long string`;
  return undefined;
}

function mismatch(path: string, got: unknown, expected: unknown): string {
  const shown = (value: unknown) => (JSON.stringify(value) ?? "undefined").slice(0, 200);
  return `${path === "" ? "answer" : path}: got ${shown(got)}, expected ${shown(expected)}`;
}
