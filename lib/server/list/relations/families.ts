import type { RelatedInput } from "./related-input";
import { type Related, relate } from "./relations";

interface Named {
  /** Sessions with this name; once another session refers to it, only one member of their family. */
  readonly ids: Set<string>;
  /** True if a session refers to others by it. */
  isReferred: boolean;
}

/**
 * Groups of possibly related sessions, so that a read session is compared only with its group. A family contains sessions that share a request, and
 * sessions with a name and those that refer to it. A name without references has no effect. A session that loses a shared request stays in its
 * family, which makes the family only larger than necessary.
 */
export class Families<Input extends RelatedInput & { readonly title?: string }> {
  readonly #inputs = new Map<string, Input>();
  /** Union-find: the parent of a session in its family's tree, and the members by root. A session that is alone is in neither. */
  readonly #above = new Map<string, string>();
  readonly #members = new Map<string, string[]>();
  readonly #byRequest = new Map<number, string>();
  readonly #byName = new Map<string, Named>();
  readonly #changed = new Set<string>();

  inputs(): Input[] {
    return [...this.#inputs.values()];
  }

  inputOf(id: string): Input | undefined {
    return this.#inputs.get(id);
  }

  /** Title of a session; empty if unknown. */
  titleOf(id: string): string {
    return this.#inputs.get(id)?.title ?? "";
  }

  /** True if a family has changed since its relations were read. */
  get isChanged(): boolean {
    return this.#changed.size > 0;
  }

  changed(): string[] {
    return [...this.#changed];
  }

  /** True if a session has changed since its relations were read. */
  hasChanged(id: string): boolean {
    return this.#changed.has(id);
  }

  /** Adds or updates a session. @param isNew true if its known relations are invalid */
  add(input: Input, isNew: boolean): void {
    const { id } = input;
    this.#inputs.set(id, input);
    for (const key of input.keys.exact) if (!Number.isNaN(key)) this.#join(id, key);
    for (const name of ownNames(input)) this.#name(id, name);
    for (const name of otherNames(input)) this.#refer(id, name);
    if (isNew) this.#changed.add(id);
  }

  remove(id: string): void {
    if (this.#inputs.delete(id)) this.#changed.add(id);
  }

  /** Marks sessions as changed again, whose relations could not be stored. */
  again(ids: readonly string[]): void {
    for (const id of ids) if (this.#inputs.has(id)) this.#changed.add(id);
  }

  /** The relations of all sessions in the families that have changed. */
  relateChanged(): ReadonlyMap<string, Related> {
    const tops = new Set([...this.#changed].map((id) => this.#top(id)));
    this.#changed.clear();
    const related = new Map<string, Related>();
    for (const top of tops) {
      const family = this.#membersOf(top).flatMap((id) => this.#inputs.get(id) ?? []);
      for (const [id, relations] of relate(family)) related.set(id, relations);
    }
    return related;
  }

  #join(id: string, request: number): void {
    const other = this.#byRequest.get(request);
    if (other === undefined) this.#byRequest.set(request, id);
    else this.#unite(this.#top(id), this.#top(other));
  }

  #name(id: string, name: string): void {
    const named = this.#named(name);
    if (named.isReferred) for (const other of named.ids) this.#unite(this.#top(id), this.#top(other));
    else named.ids.add(id);
  }

  #refer(id: string, name: string): void {
    const named = this.#named(name);
    for (const other of named.ids) this.#unite(this.#top(id), this.#top(other));
    named.ids.clear();
    named.ids.add(id);
    named.isReferred = true;
  }

  #named(name: string): Named {
    const named = this.#byName.get(name) ?? { ids: new Set(), isReferred: false };
    this.#byName.set(name, named);
    return named;
  }

  #unite(a: string, b: string): void {
    if (a === b) return;
    const [small, large] = [a, b]
      .map((top) => ({ top, members: this.#membersOf(top) }))
      .sort((x, y) => x.members.length - y.members.length);
    if (small === undefined || large === undefined) return; // There are two.
    for (const id of small.members) large.members.push(id);
    this.#members.set(large.top, large.members);
    this.#members.delete(small.top);
    this.#above.set(small.top, large.top);
  }

  #membersOf(top: string): string[] {
    return this.#members.get(top) ?? [top];
  }

  #top(id: string): string {
    let top = id;
    for (let above = this.#above.get(top); above !== undefined; above = this.#above.get(top)) top = above;
    return top;
  }
}

/** Names by which other files may refer to a session. */
function ownNames({ summary, placed }: RelatedInput): string[] {
  const { format, sessionId, links } = summary;
  return keysOf(format, [sessionId, links.agentId, placed.sessionId, placed.agentId]);
}

/** Names by which a session refers to others. */
function otherNames({ summary, placed }: RelatedInput): string[] {
  const { format, links } = summary;
  const parents = links.parents.map(({ session }) => session);
  return keysOf(format, [placed.parentSession, ...parents, ...links.subagents.map(({ agentId }) => agentId)]);
}

function keysOf(format: string, names: readonly (string | null | undefined)[]): string[] {
  return names.flatMap((name) => (name == null ? [] : [`${format}\0${name}`]));
}
