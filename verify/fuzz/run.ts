import { wrongAnswers } from "./answers";
import { mutated } from "./mutate";
import { withOddMetrics } from "./odd-metrics";
import { wrongWith } from "./read-mutated";
import { type FuzzSource, fuzzSources, withSamples } from "./sources";

/** An input that was read or answered wrongly, or took too long. */
interface Finding {
  readonly seed: number;
  readonly source: string;
  readonly wrong: string;
}

export interface FuzzReport {
  readonly inputs: number;
  readonly bytes: number;
  readonly longestMs: number;
  readonly byReader: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
}

interface FuzzKind {
  readonly sources: () => readonly FuzzSource[];
  /** Changes a file; the same seed gives the same result. */
  readonly change: (bytes: Buffer, seed: number, others: readonly Buffer[]) => Buffer;
  /** The program's error with the changed file, if any. */
  readonly wrong: (bytes: Buffer, source: FuzzSource, seed: number) => string | undefined | Promise<string | undefined>;
  /** Time above which one input counts as a hang. */
  readonly hangMs: number;
}

/** `reading` tries damage of every kind and reads up to the columns. `answers` tries impossible numbers and sends every query about them. */
export const FUZZ = {
  reading: {
    sources: fuzzSources,
    change: mutated,
    wrong: (bytes, { reader }, seed) => wrongWith(bytes, reader, seed),
    hangMs: 1000,
  },
  answers: {
    sources: () => withSamples(fuzzSources()),
    change: withOddMetrics,
    wrong: (bytes, { reader }, seed) => wrongAnswers(bytes, reader.format, seed),
    hangMs: 20_000,
  },
} as const satisfies Record<string, FuzzKind>;

export type FuzzName = keyof typeof FUZZ;

/** Maximum number of kept findings: the first ones, since people look at those first. */
const MAX_FINDINGS = 20;

/** The input of a seed. The sources take turns, so that every reader gets equally many. */
export function fuzzInput(
  name: FuzzName,
  sources: readonly FuzzSource[],
  seed: number,
): { source: FuzzSource; bytes: Buffer } {
  const readers = [...new Set(sources.map(({ reader }) => reader))];
  const own = sources.filter(({ reader }) => reader === readers[seed % readers.length]);
  const source = own[Math.floor(seed / readers.length) % own.length];
  if (source === undefined) throw new RangeError("no sources");
  const others = sources.map(({ bytes }) => bytes);
  return { source, bytes: FUZZ[name].change(source.bytes, seed, others) };
}

/**
 * Tries the seeds from `from` up to, but not including, `to`.
 * @param before called with every seed before it is tried
 */
export async function fuzz(
  name: FuzzName,
  from: number,
  to: number,
  before: (seed: number) => void = () => undefined,
): Promise<FuzzReport> {
  const { wrong, hangMs }: FuzzKind = FUZZ[name];
  const sources = FUZZ[name].sources();
  const findings: Finding[] = [];
  const byReader: Record<string, number> = {};
  let bytes = 0;
  let longestMs = 0;
  for (let seed = from; seed < to; seed++) {
    before(seed);
    const input = fuzzInput(name, sources, seed);
    const started = performance.now();
    const found = await wrong(input.bytes, input.source, seed);
    const ms = performance.now() - started;
    const { format } = input.source.reader;
    byReader[format] = (byReader[format] ?? 0) + 1;
    bytes += input.bytes.length;
    longestMs = Math.max(longestMs, ms);
    const problem = found ?? (ms > hangMs ? `took ${ms.toFixed(0)} ms` : undefined);
    if (problem !== undefined && findings.length < MAX_FINDINGS) {
      findings.push({ seed, source: input.source.name, wrong: problem });
    }
  }
  return { inputs: to - from, bytes, longestMs, byReader, findings };
}
