import type { MessageMeasures } from "@/lib/agents/server-half";
import type { BlockContent, ItemEstimator } from "@/lib/core/tokens/item-estimator";
import type { Message, Transcript } from "@/lib/core/transcript/model";
import { eachMessage, type LoadedFile, type Pass, rowCount } from "./each-message";

/** Numbers of a file's first rows, by name, that are known from when the file was shorter. */
export interface KnownRows {
  readonly rows: number;
  readonly numbers: Readonly<Record<string, Int32Array>>;
}

const NOTHING: KnownRows = { rows: 0, numbers: {} };

/**
 * Tokens of every row of the columns under an estimator that needs the text; the inferred overhead row stays 0. Throws `InputError` where the file
 * has changed.
 */
export function countItems(loaded: LoadedFile, estimator: ItemEstimator, known: KnownRows = NOTHING): Int32Array {
  const counting = countingPass(loaded.transcript, estimator, known);
  eachMessage(loaded, counting, known.rows);
  return counting.result();
}

/** The same as one of several things that are made in a pass. */
export function countingPass(
  transcript: Transcript,
  estimator: ItemEstimator,
  known: KnownRows = NOTHING,
): Pass<Int32Array> {
  const perItem = begun(known, TOKENS, rowCount(transcript));
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

/** The name of what `countItems` returns. */
export const TOKENS = "tokens";

/** An agent's measures of every row, by name; 0 on overhead rows. Throws `InputError` where the file has changed. */
export function measureItems(
  loaded: LoadedFile,
  measures: MessageMeasures,
  known: KnownRows = NOTHING,
): Record<string, Int32Array> {
  const measuring = measuringPass(loaded.transcript, measures, known);
  eachMessage(loaded, measuring, known.rows);
  return measuring.result();
}

/** The same as one of several things that are made in a pass. */
export function measuringPass(
  transcript: Transcript,
  measures: MessageMeasures,
  known: KnownRows = NOTHING,
): Pass<Record<string, Int32Array>> {
  const rows = rowCount(transcript);
  const columns = new Map(Object.keys(known.numbers).map((name) => [name, begun(known, name, rows)]));
  const message = (one: Message, contents: readonly BlockContent[], firstRow: number) => {
    for (const [name, values] of Object.entries(measures(one, contents, transcript.format))) {
      const column = columns.get(name) ?? new Int32Array(rows);
      columns.set(name, column);
      column.set(values, firstRow);
    }
  };
  return { message, result: () => Object.fromEntries(columns) };
}

/** A column that begins with what is known of it. */
function begun({ rows, numbers }: KnownRows, name: string, length: number): Int32Array {
  const column = new Int32Array(length);
  column.set(numbers[name]?.subarray(0, rows) ?? []);
  return column;
}
