import { NameTable } from "../base/name-table";
import type { RequestTerms } from "../transcript/model";
import type { RequestTermsRow } from "./columns";

/** Distinct request terms in order of first appearance. A number replaces each process, because its identification is private. */
export class TermsTable {
  readonly rows: RequestTermsRow[] = [];
  readonly #processes = new NameTable();
  readonly #indices = new Map<string, number>();
  /** Readers use the same object for many requests. */
  readonly #seen = new WeakMap<RequestTerms, number>();

  index(terms: RequestTerms): number {
    const index = this.#seen.get(terms) ?? this.#indexOf(terms);
    this.#seen.set(terms, index);
    return index;
  }

  #indexOf({ process, ...terms }: RequestTerms): number {
    const row = process === undefined ? terms : { ...terms, process: this.#processes.index(process) };
    const key = JSON.stringify(row);
    const known = this.#indices.get(key);
    if (known !== undefined) return known;
    this.#indices.set(key, this.rows.length);
    this.rows.push(row);
    return this.rows.length - 1;
  }
}
