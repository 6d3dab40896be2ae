import type { MessageMeasures } from "@/lib/agents/shared/server-profile";
import type { Bytes } from "@/lib/core/base/units";
import { RaggedWriter, raggedMeasureOf, raggedName, raggedRow } from "@/lib/core/columns/ragged";
import type { BlockContent, ItemEstimator } from "@/lib/core/tokens/item-estimator";
import type { Message, Transcript } from "@/lib/core/transcript/model";
import { type Pass, rowCount } from "../texts/each-message";

/** Known numbers of a file's first rows, by name, from when the file was shorter. */
export interface KnownRows {
  readonly rows: number;
  readonly numbers: Readonly<Record<string, Int32Array>>;
}

/** Above this size the agent's own count is not awaited, because it takes a second pass over the texts. */
export const MAX_COUNTED_AT_ONCE: Bytes = 8e6;

const NOTHING: KnownRows = { rows: 0, numbers: {} };

/** Counts tokens of every row of the columns under a text-based estimator; the inferred overhead row stays 0. */
export function countingPass(
  transcript: Transcript,
  estimator: ItemEstimator,
  known: KnownRows = NOTHING,
): Pass<Int32Array> {
  const perItem = withKnown(known, TOKENS, rowCount(transcript));
  return {
    overhead: (row: number, text: string) => {
      perItem[row] = estimator.text(text);
    },
    message: (message: Message, contents: readonly BlockContent[], firstRow: number) => {
      perItem.set(estimator.blocks(message, contents, transcript.format), firstRow);
    },
    result: () => perItem,
  };
}

/** Name under which counted tokens are kept. */
export const TOKENS = "tokens";

/** Makes an agent's measures of every row, by name; 0 on overhead rows. */
export function measuringPass(
  transcript: Transcript,
  measures: MessageMeasures,
  known: KnownRows = NOTHING,
): Pass<Record<string, Int32Array>> {
  const rows = rowCount(transcript);
  const columns = new Map<string, Int32Array>();
  const lists = new Map<string, (readonly number[])[]>();
  for (const name of Object.keys(known.numbers)) {
    const list = raggedName(name);
    if (list === undefined) columns.set(name, withKnown(known, name, rows));
    else lists.set(list, knownLists(known, list));
  }
  const message = (one: Message, contents: readonly BlockContent[], firstRow: number) => {
    if (one.blocks.length === 0) return;
    for (const [name, values] of Object.entries(measures(one, contents, transcript.format))) {
      if (isLists(values)) {
        const list = lists.get(name) ?? [];
        lists.set(name, list);
        for (const [block, value] of values.entries()) list[firstRow + block] = value;
        continue;
      }
      const column = columns.get(name) ?? new Int32Array(rows);
      columns.set(name, column);
      column.set(values, firstRow);
    }
  };
  const result = () => ({
    ...Object.fromEntries(columns),
    ...Object.fromEntries(Array.from(lists, ([name, list]) => Object.entries(raggedMeasure(name, list, rows))).flat()),
  });
  return { message, result };
}

function isLists(values: readonly number[] | readonly (readonly number[])[]): values is readonly (readonly number[])[] {
  return Array.isArray(values[0]);
}

/** A measure of lists as two columns. */
function raggedMeasure(name: string, lists: readonly (readonly number[])[], rows: number): Record<string, Int32Array> {
  const writer = new RaggedWriter();
  for (let row = 0; row < rows; row++) writer.row(lists[row] ?? []);
  const { offset, value } = writer.column();
  return { [`${name}.offset`]: offset, [`${name}.value`]: value };
}

function knownLists({ rows, numbers }: KnownRows, name: string): (readonly number[])[] {
  const column = raggedMeasureOf(numbers, name);
  return Array.from({ length: rows }, (_, row) => (column === undefined ? [] : [...raggedRow(column, row)]));
}

/** A column with a known beginning. */
function withKnown({ rows, numbers }: KnownRows, name: string, length: number): Int32Array {
  const column = new Int32Array(length);
  column.set(numbers[name]?.subarray(0, rows) ?? []);
  return column;
}
