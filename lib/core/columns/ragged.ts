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

/** A ragged measure has two columns, with these suffixes. */
const [OFFSET, VALUE] = [".offset", ".value"];

/** Name of the ragged measure of a column; `undefined` if the column is a measure by itself. */
export function raggedName(column: string): string | undefined {
  const ending = [OFFSET, VALUE].find((one) => column.endsWith(one));
  return ending === undefined ? undefined : column.slice(0, -ending.length);
}

/** Returns a ragged measure; `undefined` if the session has none of that name. */
export function raggedMeasureOf(measures: SessionColumns["measures"], name: string): RaggedColumn | undefined {
  const [offset, value] = [measures[`${name}${OFFSET}`], measures[`${name}${VALUE}`]];
  return offset && value && { offset, value };
}
