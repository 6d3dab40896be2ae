import type { RaggedColumn, SessionColumns } from "../columns/columns";
import { raggedMeasureOf, raggedRow } from "../columns/ragged";
import { editsOf } from "./edits";
import type { RefetchIndex } from "./index-builder";
import type { UsedTexts } from "./refetch";
import type { SourceTexts } from "./sources";

/** What the measures of a session's columns are called that hold its index of needs. */
const PREFIX = "needs.";
const COLUMNS = ["lines", "mentions", "uses", "edits"] as const;

/** What a replay knows of the texts. */
export type ReplayTexts = UsedTexts & SourceTexts;

/** The part of an index that replays need: of lines those that an edit replaces, of paths those that a call uses, both numbered anew. */
interface ReplayIndex {
  readonly texts: ReplayTexts;
  /** `NeedsIndex.source`. */
  readonly source: Int32Array;
}

/** By row of a call or result, the call's tool and arguments as a number, as a measure. */
const SOURCE = `${PREFIX}source`;
/** By row of a result, whether its call may bring it back, as a measure. */
const ANSWERS = `${PREFIX}answers`;

/** Makes the part of an index that replays need. */
export function replayIndex(index: RefetchIndex): ReplayIndex {
  const rows = index.lines.offset.length - 1;
  const replaced = new Numbers();
  const used = new Numbers();
  const edits = mapped(rows, (row) =>
    editsOf(index.edits, row).flatMap((lines) => [lines.length, ...Array.from(lines, (line) => replaced.put(line))]),
  );
  const uses = mapped(rows, (row) => Array.from(raggedRow(index.uses, row), (path) => used.put(path)));
  return {
    texts: {
      lines: mapped(rows, (row) => distinct(raggedRow(index.lines, row), replaced)),
      mentions: mapped(rows, (row) => distinct(raggedRow(index.mentions, row), used)),
      uses,
      edits,
      answers: index.answers,
    },
    source: index.source,
  };
}

/** Numbers from 0 in the order of first use. */
class Numbers {
  readonly #known = new Map<number, number>();

  put(value: number): number {
    const known = this.#known.get(value) ?? this.#known.size;
    this.#known.set(value, known);
    return known;
  }

  find(value: number): number | undefined {
    return this.#known.get(value);
  }
}

function distinct(values: Int32Array, numbers: Numbers): readonly number[] {
  return [...new Set(values)].flatMap((value) => numbers.find(value) ?? []);
}

function mapped(rows: number, valuesOf: (row: number) => readonly number[]): RaggedColumn {
  const offset = new Int32Array(rows + 1);
  const value: number[] = [];
  for (let row = 0; row < rows; row++) {
    for (const one of valuesOf(row)) value.push(one);
    offset[row + 1] = value.length;
  }
  return { offset, value: Int32Array.from(value) };
}

/** The measures that hold the index of replays, by name. */
export function refetchMetrics({ texts, source }: ReplayIndex): Record<string, Int32Array> {
  const arrays = COLUMNS.flatMap((name) => [
    [`${PREFIX}${name}.offset`, texts[name].offset] as const,
    [`${PREFIX}${name}.value`, texts[name].value] as const,
  ]);
  return { ...Object.fromEntries(arrays), [SOURCE]: source, [ANSWERS]: texts.answers };
}

/** Which results are of equal calls, as `reuseCurve` takes it; `undefined` as for `needsOf`. */
export function sourcesOf({ measures }: Pick<SessionColumns, "measures">): Int32Array | undefined {
  return measures[SOURCE];
}

/** The index that the measures of a session hold; `undefined` where they were not asked for, or say nothing because the texts are masked. */
export function refetchesOf({ measures }: Pick<SessionColumns, "measures">): ReplayTexts | undefined {
  const [lines, mentions, uses, edits] = COLUMNS.map((name) => raggedMeasureOf(measures, `${PREFIX}${name}`));
  const answers = measures[ANSWERS];
  return lines && mentions && uses && edits && answers && { lines, mentions, uses, edits, answers };
}
