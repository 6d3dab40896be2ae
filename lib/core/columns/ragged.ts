import type { RaggedColumn, SessionColumns } from "./columns";

/** Writes a ragged column row by row. */
export class RaggedWriter {
  readonly #offset: number[] = [0];
  readonly #value: number[] = [];

  row(values: readonly number[]): void {
    for (const value of values) this.#value.push(value);
    this.#offset.push(this.#value.length);
  }

  column(): RaggedColumn {
    return { offset: Int32Array.from(this.#offset), value: Int32Array.from(this.#value) };
  }
}

/** The values of one row. */
export function raggedRow(column: RaggedColumn, row: number): Int32Array {
  return column.value.subarray(column.offset[row] ?? 0, column.offset[row + 1] ?? 0);
}

/** Two measures hold the lists of a ragged column, under these endings. */
const [OFFSET, VALUE] = [".offset", ".value"];

/** The name of the measure of lists that one of its two columns belongs to; `undefined` where a column is a measure by itself. */
export function listName(column: string): string | undefined {
  const ending = [OFFSET, VALUE].find((one) => column.endsWith(one));
  return ending === undefined ? undefined : column.slice(0, -ending.length);
}

/** A measure of lists; `undefined` where the session has none of that name. */
export function raggedMeasureOf(measures: SessionColumns["measures"], name: string): RaggedColumn | undefined {
  const [offset, value] = [measures[`${name}${OFFSET}`], measures[`${name}${VALUE}`]];
  return offset && value && { offset, value };
}
