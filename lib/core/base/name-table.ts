/** Numbers distinct names in order of first appearance. */
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

/** Joins two-part names such as `event_msg/token_count`. Each pair is joined once and then reused, since every record needs one. */
export class JoinedNames {
  readonly #names = new Map<string, Map<string, string>>();

  /** Returns `first/second`. */
  join(first: string, second: string): string {
    const ofFirst = this.#names.get(first);
    const known = ofFirst?.get(second);
    if (known !== undefined) return known;
    const name = `${first}/${second}`;
    if (ofFirst === undefined) this.#names.set(first, new Map([[second, name]]));
    else ofFirst.set(second, name);
    return name;
  }
}
