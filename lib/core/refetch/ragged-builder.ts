import { Integers } from "../base/growing";
import type { ItemIndex } from "../base/units";
import type { RaggedColumn } from "../columns/columns";

/** A ragged column that is written by ascending rows, some of them without values. */
export class RaggedBuilder {
  readonly #rows = new Integers();
  readonly #ends = new Integers();
  readonly #values = new Integers();

  /** Number of values. */
  get size(): number {
    return this.#values.length;
  }

  row(row: ItemIndex, values: readonly number[]): void {
    if (values.length === 0) return;
    for (const value of values) this.#values.push(value);
    this.#rows.push(row);
    this.#ends.push(this.#values.length);
  }

  column(length: number, keep: (value: number) => boolean = () => true): RaggedColumn {
    const offset = new Int32Array(length + 1);
    const value = new Int32Array(this.#values.length);
    let [at, kept] = [0, 0];
    for (let index = 0, row = 0; row < length; row++) {
      if (index < this.#rows.length && this.#rows.at(index) === row) {
        for (const end = this.#ends.at(index++); at < end; at++) {
          const one = this.#values.at(at);
          if (keep(one)) value[kept++] = one;
        }
      }
      offset[row + 1] = kept;
    }
    return { offset, value: value.slice(0, kept) };
  }
}

/** Edits without boilerplate lines; edits of such lines alone are omitted. */
export function withoutBoilerplate({ offset, value }: RaggedColumn, isPlain: (line: number) => boolean): RaggedColumn {
  const edits = new RaggedBuilder();
  const length = offset.length - 1;
  for (let row = 0; row < length; row++) {
    const kept: number[] = [];
    for (let at = offset[row] ?? 0; at < (offset[row + 1] ?? 0); ) {
      const count = value[at] ?? 0;
      const lines = Array.from(value.subarray(at + 1, at + 1 + count)).filter(isPlain);
      if (lines.length > 0) kept.push(lines.length);
      for (const line of lines) kept.push(line);
      at += 1 + count;
    }
    edits.row(row, kept);
  }
  return edits.column(length);
}
