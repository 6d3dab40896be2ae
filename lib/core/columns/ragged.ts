import type { RaggedColumn } from "./columns";

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
