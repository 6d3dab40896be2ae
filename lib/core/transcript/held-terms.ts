import { detached } from "../base/texts";
import type { RequestTerms } from "./model";

const KEYS = [
  ...(["speed", "serviceTier", "inferenceGeo", "effort", "process", "missReason"] as const),
  ...(["branch", "folder", "subagent"] as const),
] as const satisfies Exact;
type Exact = readonly (keyof RequestTerms)[];

/** Distinct terms of requests while a file is read. Each has an index. */
export class HeldTerms {
  readonly #rows: RequestTerms[] = [];
  readonly #indices = new Map<string, number>();

  /** Returns the index of these terms; −1 if none of them is known. */
  index(terms: { readonly [Key in keyof RequestTerms]?: RequestTerms[Key] | undefined }): number {
    let key = "";
    for (const name of KEYS) key += `${terms[name] ?? ""}\0`;
    if (key.length === KEYS.length) return NONE;
    const known = this.#indices.get(key);
    if (known !== undefined) return known;
    const row: { -readonly [Key in keyof RequestTerms]: RequestTerms[Key] } = {};
    for (const name of KEYS) {
      const value = terms[name];
      // A value may be a slice of the record; a detached copy does not keep the whole record in memory.
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

/** Identifies the process of a request by its release, folder and session, if known. */
export function processOf(...marks: readonly (string | undefined)[]): string | undefined {
  return marks.every((mark) => mark === undefined) ? undefined : JSON.stringify(marks);
}
