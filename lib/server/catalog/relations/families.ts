import { type Related, type RelatedInput, relate } from "./relations";

/**
 * Which sessions may be related, so that a session that was just read is compared with these alone. Sessions that share a request, or a name by which
 * files refer to sessions, are in one family; what a session no longer has keeps it in its family all the same, which only makes a family larger.
 */
export class Families<Input extends RelatedInput & { readonly title?: string }> {
  readonly #inputs = new Map<string, Input>();
  /** The session above another one in its family; the top one is above itself. */
  readonly #above = new Map<string, string>();
  readonly #members = new Map<string, string[]>();
  readonly #byRequest = new Map<number, string>();
  readonly #byName = new Map<string, string>();
  readonly #changed = new Set<string>();

  /** Every session. */
  inputs(): Input[] {
    return [...this.#inputs.values()];
  }

  /** Title of a session; empty where it is not known. */
  titleOf(id: string): string {
    return this.#inputs.get(id)?.title ?? "";
  }

  /** Whether a family has changed since its relations were asked for. */
  get isChanged(): boolean {
    return this.#changed.size > 0;
  }

  /** Whether a session has changed since its relations were asked for. */
  hasChanged(id: string): boolean {
    return this.#changed.has(id);
  }

  /** Adds a session or what it is now. @param isNew whether the relations that are known of it do not hold */
  add(input: Input, isNew: boolean): void {
    const { id } = input;
    this.#inputs.set(id, input);
    if (!this.#above.has(id)) {
      this.#above.set(id, id);
      this.#members.set(id, [id]);
    }
    for (const key of input.keys.exact) if (!Number.isNaN(key)) this.#join(id, this.#byRequest, key);
    for (const name of namesIn(input)) this.#join(id, this.#byName, name);
    if (isNew) this.#changed.add(id);
  }

  /** Takes a session out. */
  remove(id: string): void {
    if (this.#inputs.delete(id)) this.#changed.add(id);
  }

  /** The relations of all sessions in the families that have changed. */
  relateChanged(): ReadonlyMap<string, Related> {
    const tops = new Set([...this.#changed].map((id) => this.#top(id)));
    this.#changed.clear();
    const related = new Map<string, Related>();
    for (const top of tops) {
      const family = (this.#members.get(top) ?? []).flatMap((id) => this.#inputs.get(id) ?? []);
      for (const [id, relations] of relate(family)) related.set(id, relations);
    }
    return related;
  }

  #join<Key>(id: string, first: Map<Key, string>, key: Key): void {
    const other = first.get(key);
    if (other === undefined) first.set(key, id);
    else this.#unite(this.#top(id), this.#top(other));
  }

  #unite(a: string, b: string): void {
    if (a === b) return;
    const [small, large] = [a, b].map((top) => this.#members.get(top) ?? []).sort((x, y) => x.length - y.length);
    const [top, under] = large === this.#members.get(a) ? [a, b] : [b, a];
    for (const id of small ?? []) large?.push(id);
    this.#above.set(under, top);
    this.#members.delete(under);
  }

  #top(id: string): string {
    let top = id;
    for (let above = this.#above.get(top); above !== undefined && above !== top; above = this.#above.get(top))
      top = above;
    return top;
  }
}

/** Every name in a session by which one file may refer to another, its own and those of others. */
function namesIn({ summary, placed }: RelatedInput): string[] {
  const { format, sessionId, links } = summary;
  const names = [
    ...[sessionId, links.agentId, placed.sessionId, placed.agentId, placed.parentSession],
    ...links.parents.map(({ session }) => session),
    ...links.subagents.map(({ agentId }) => agentId),
  ];
  return names.flatMap((name) => (name == null ? [] : [`${format}\0${name}`]));
}
