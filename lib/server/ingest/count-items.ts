import type { MessageMeasures } from "@/lib/agents/server-half";
import type { ItemEstimator } from "@/lib/core/tokens/item-estimator";
import { eachMessage, type LoadedFile, rowCount } from "./each-message";

/**
 * Tokens of every row of the columns under an estimator that needs the text; the inferred overhead row stays 0. Throws `InputError` where the file
 * has changed.
 */
export function countItems(loaded: LoadedFile, estimator: ItemEstimator): Int32Array {
  const perItem = new Int32Array(rowCount(loaded.transcript));
  eachMessage(loaded, {
    overhead: (row, text) => {
      perItem[row] = estimator.text(text);
    },
    message: (message, contents, firstRow) => {
      perItem.set(estimator.blocks(message, contents, loaded.transcript.format), firstRow);
    },
  });
  return perItem;
}

/** An agent's measures of every row, by name; 0 on overhead rows. Throws `InputError` where the file has changed. */
export function measureItems(loaded: LoadedFile, measures: MessageMeasures): Record<string, Int32Array> {
  const columns = new Map<string, Int32Array>();
  const rows = rowCount(loaded.transcript);
  eachMessage(loaded, {
    message: (message, contents, firstRow) => {
      for (const [name, values] of Object.entries(measures(message, contents, loaded.transcript.format))) {
        const column = columns.get(name) ?? new Int32Array(rows);
        columns.set(name, column);
        column.set(values, firstRow);
      }
    },
  });
  return Object.fromEntries(columns);
}
