/** Distinct names in the order in which they are first seen, each with its index. */
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
