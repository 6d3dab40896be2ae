import { detached } from "../base/detached";
import type { RequestTerms } from "./model";

const KEYS = ["speed", "serviceTier", "inferenceGeo", "effort", "process", "missReason"] as const satisfies Exact;
type Exact = readonly (keyof RequestTerms)[];

/** Terms of requests while a file is read: each distinct one is held once, and asked for by its index. */
export class HeldTerms {
  readonly #rows: RequestTerms[] = [];
  readonly #indices = new Map<string, number>();

  /** The index of such terms; −1 where none of them is known. */
  index(terms: { readonly [Key in keyof RequestTerms]?: RequestTerms[Key] | undefined }): number {
    let key = "";
    for (const name of KEYS) key += `${terms[name] ?? ""}\0`;
    if (key.length === KEYS.length) return NONE;
    const known = this.#indices.get(key);
    if (known !== undefined) return known;
    const row: { -readonly [Key in keyof RequestTerms]: RequestTerms[Key] } = {};
    for (const name of KEYS) {
      const value = terms[name];
      // A name may be a piece of the record: held by itself it does not hold all of it.
      if (value !== undefined && value !== "") row[name] = detached(value);
    }
    this.#indices.set(detached(key), this.#rows.length);
    return this.#rows.push(row) - 1;
  }

  at(index: number): RequestTerms | undefined {
    return this.#rows[index];
  }
}

const NONE = -1;

/** What tells the process of a request from another one: its release, folder and session, as far as they are known. */
export function processOf(...marks: readonly (string | undefined)[]): string | undefined {
  return marks.every((mark) => mark === undefined) ? undefined : JSON.stringify(marks);
}
