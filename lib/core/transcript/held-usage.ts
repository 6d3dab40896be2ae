import { Floats } from "../base/growing";
import type { Usage } from "./model";

const KEYS = [
  "input",
  "cacheRead",
  "cacheWrite",
  "cacheWrite1h",
  "output",
  "reasoning",
  "webSearches",
  "ownCost",
] as const satisfies (keyof Usage)[];

/** Usages as columns while a file is read: objects would take as much memory as the file, up to 1 GB. */
export class HeldUsage {
  /** One column per field, created when a usage first has the field; NaN if it is absent. */
  readonly #columns: (Floats | undefined)[] = KEYS.map(() => undefined);
  #length = 0;

  /** Adds a usage and returns its row. */
  push(usage: Usage): number {
    for (const [index, key] of KEYS.entries()) {
      const value = usage[key];
      if (value !== undefined) this.#columnOf(index).push(value);
      else this.#columns[index]?.push(Number.NaN);
    }
    this.#length += 1;
    return this.#length - 1;
  }

  #columnOf(index: number): Floats {
    const column = this.#columns[index] ?? new Floats();
    while (column.length < this.#length) column.push(Number.NaN);
    this.#columns[index] = column;
    return column;
  }

  at(row: number): Usage {
    const usage: { -readonly [Key in keyof Usage]: Usage[Key] } = { input: this.#columns[0]?.at(row) ?? 0 };
    for (let index = 1; index < KEYS.length; index++) {
      const [key, value] = [KEYS[index], this.#columns[index]?.at(row)];
      if (key !== undefined && value !== undefined && !Number.isNaN(value)) usage[key] = value;
    }
    return usage;
  }
}
