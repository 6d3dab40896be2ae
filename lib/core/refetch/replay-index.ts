import type { RaggedColumn, SessionColumns } from "../columns/columns";
import { raggedMeasureOf, raggedRow } from "../columns/ragged";
import { editsOf } from "./edits";
import type { RefetchIndex } from "./index-builder";
import type { UsedTexts } from "./refetch";
import type { SourceTexts } from "./sources";

/** Prefix of the columns' measures that hold the index for replays. */
const PREFIX = "needs.";
const COLUMNS = ["lines", "mentions", "uses", "edits"] as const;

/** The part of the texts' index that a replay reads. */
export type ReplayTexts = UsedTexts & SourceTexts;

/** The part of an index that replays need: lines replaced by edits and paths used by calls, both renumbered. */
interface ReplayIndex {
  readonly texts: ReplayTexts;
  /** `RefetchIndex.source`. */
  readonly source: Int32Array;
}

/** By row of a call or result, the call's tool and arguments as a number, as a measure. */
const SOURCE = `${PREFIX}source`;
/** By row of a result, 1 if its call may bring it back, as a measure. */
const ANSWERS = `${PREFIX}answers`;

/** Extracts the part of an index that replays need. */
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
export function refetchMeasures({ texts, source }: ReplayIndex): Record<string, Int32Array> {
  const arrays = COLUMNS.flatMap((name) => [
    [`${PREFIX}${name}.offset`, texts[name].offset] as const,
    [`${PREFIX}${name}.value`, texts[name].value] as const,
  ]);
  return { ...Object.fromEntries(arrays), [SOURCE]: source, [ANSWERS]: texts.answers };
}

/** Numbers of equal calls by row, for `reuseCurve`; `undefined` as for `refetchesOf`. */
export function sourcesOf({ measures }: Pick<SessionColumns, "measures">): Int32Array | undefined {
  return measures[SOURCE];
}

/** The index in the measures of a session; `undefined` if they were not requested, or the texts are masked. */
export function refetchesOf({ measures }: Pick<SessionColumns, "measures">): ReplayTexts | undefined {
  const [lines, mentions, uses, edits] = COLUMNS.map((name) => raggedMeasureOf(measures, `${PREFIX}${name}`));
  const answers = measures[ANSWERS];
  return lines && mentions && uses && edits && answers && { lines, mentions, uses, edits, answers };
}
