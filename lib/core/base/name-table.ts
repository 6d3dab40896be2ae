/** Distinct names in the order of first sight, and their indices. */
export class NameTable {
  readonly names: string[] = [];
  readonly #indices = new Map<string, number>();

  index(name: string): number {
    const known = this.#indices.get(name);
    if (known !== undefined) return known;
    this.#indices.set(name, this.names.length);
    this.names.push(name);
    return this.names.length - 1;
  }
}
