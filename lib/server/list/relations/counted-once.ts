import { chainLength, classOf, inheritedRows, isInherited, REQUEST_CLASS } from "@/lib/core/columns/request-keys";
import type { RelatedInput } from "./related-input";

/** A request of a session that another session counts. */
export interface CountedElsewhere {
  /** Its place among the session's keys. */
  readonly row: number;
  /** The session that counts it. */
  readonly by: string;
}

/** Sessions and the sessions that they name as their origin. */
export interface Lineage {
  /** In the order of counting a shared request: see `countingOrder`. */
  readonly sessions: readonly RelatedInput[];
  /** Listed sessions that a session names as its origin. */
  readonly parents: ReadonlyMap<RelatedInput, readonly RelatedInput[]>;
  /** The parents of forks, whose copied requests may have new times. */
  readonly forkedFrom: ReadonlyMap<RelatedInput, readonly RelatedInput[]>;
}

/**
 * Finds requests that several sessions hold, and assigns each to exactly one session. Requests are the same if their times, models and sizes are
 * equal. Equal sizes are enough only if one session names the other as its origin. Source: docs/method.md, "Every request counts once".
 */
export function countedElsewhere(lineage: Lineage): ReadonlyMap<RelatedInput, readonly CountedElsewhere[]> {
  const shared = new SharedRequests(lineage.sessions);
  shared.uniteExact();
  for (const session of lineage.sessions) {
    const inherited = inheritedRows(session.keys.classes);
    const parents = lineage.parents.get(session) ?? [];
    if (inherited.length > 0) for (const parent of parents) shared.uniteInherited(session, inherited, parent);
    else for (const parent of lineage.forkedFrom.get(session) ?? []) shared.uniteStart(session, parent);
  }
  return shared.elsewhere();
}

/** Requests of all sessions as numbers, with union-find over equal ones. */
class SharedRequests {
  readonly #first = new Map<RelatedInput, number>();
  readonly #sessionOf: Int32Array;
  /** The parent of another equal request; itself without one. */
  readonly #above: Int32Array;
  readonly #touched = new Set<number>();

  constructor(private readonly sessions: readonly RelatedInput[]) {
    let count = 0;
    for (const session of sessions) {
      this.#first.set(session, count);
      count += session.keys.exact.length;
    }
    this.#above = Int32Array.from({ length: count }, (_, at) => at);
    this.#sessionOf = new Int32Array(count);
    for (const [at, session] of sessions.entries()) {
      const first = this.#firstOf(session);
      this.#sessionOf.fill(at, first, first + session.keys.exact.length);
    }
  }

  /** Unites requests of equal time, model and sizes. The second of two in one session equals the second in another. */
  uniteExact(): void {
    const known = new Map<number, { at: number; readonly others: number[] }>();
    for (const session of this.sessions) {
      const first = this.#firstOf(session);
      const times = new Map<number, number>();
      for (let row = 0; row < session.keys.exact.length; row++) {
        const key = session.keys.exact[row] ?? Number.NaN;
        // A request without a time cannot be distinguished from others.
        if (Number.isNaN(key)) continue;
        const before = known.get(key);
        if (before === undefined) {
          known.set(key, { at: first + row, others: [] });
          times.set(key, 1);
          continue;
        }
        const time = times.get(key) ?? 0;
        times.set(key, time + 1);
        const same = time === 0 ? before.at : before.others[time - 1];
        if (same === undefined) before.others.push(first + row);
        else this.#unite(same, first + row);
      }
    }
  }

  /** Unites a session's inherited requests with those of equal sizes in its origin, in order. */
  uniteInherited(session: RelatedInput, inherited: readonly number[], parent: RelatedInput): void {
    const rows = new Map<number, number[]>();
    for (let row = parent.keys.sizes.length - 1; row >= 0; row--) {
      const size = parent.keys.sizes[row] ?? Number.NaN;
      const known = rows.get(size);
      if (known === undefined) rows.set(size, [row]);
      else known.push(row);
    }
    for (const row of inherited) {
      const same = rows.get(session.keys.sizes[row] ?? Number.NaN)?.pop();
      if (same !== undefined) this.#unite(this.#firstOf(parent) + same, this.#firstOf(session) + row);
    }
  }

  /** Unites the common leading requests of both sessions, as long as their sizes are equal. Finds copies that have the same times. */
  uniteStart(session: RelatedInput, other: RelatedInput): void {
    const [{ sizes }, theirs] = [session.keys, other.keys.sizes];
    if (session.keys.exact[0] === other.keys.exact[0]) return;
    const end = Math.min(chainLength(session.keys.classes), chainLength(other.keys.classes));
    for (let row = 0; row < end && sizes[row] === theirs[row]; row++)
      this.#unite(this.#firstOf(other) + row, this.#firstOf(session) + row);
  }

  /** For each session the requests that another one counts. */
  elsewhere(): ReadonlyMap<RelatedInput, readonly CountedElsewhere[]> {
    const counting = new Map<number, number>();
    for (const at of this.#touched) {
      const top = this.#top(at);
      const best = counting.get(top);
      if (best === undefined || this.#compare(at, best) < 0) counting.set(top, at);
    }
    const found = new Map<RelatedInput, CountedElsewhere[]>();
    for (const at of this.#touched) {
      const [session, by] = [this.#sessionAt(at), this.#sessionAt(counting.get(this.#top(at)) ?? at)];
      // Two requests of one session are distinct, whatever another session holds of them.
      if (session === undefined || by === undefined || by === session) continue;
      const rows = found.get(session) ?? [];
      rows.push({ row: at - this.#firstOf(session), by: by.id });
      found.set(session, rows);
    }
    for (const rows of found.values()) rows.sort((a, b) => a.row - b.row);
    return found;
  }

  /** Compares copies of a request: the copy in a session that marks it as its own counts before a copy marked as a subagent's or another session's. */
  #compare(a: number, b: number): number {
    return this.#rank(a) - this.#rank(b) || (this.#sessionOf[a] ?? 0) - (this.#sessionOf[b] ?? 0);
  }

  #rank(at: number): number {
    const session = this.#sessionAt(at);
    const code = session && classOf(session.keys.classes, at - this.#firstOf(session));
    return isInherited(code) ? 2 : Number(code === REQUEST_CLASS.subagent);
  }

  #sessionAt(at: number): RelatedInput | undefined {
    return this.sessions[this.#sessionOf[at] ?? -1];
  }

  #firstOf(session: RelatedInput): number {
    return this.#first.get(session) ?? 0;
  }

  #unite(a: number, b: number): void {
    this.#touched.add(a).add(b);
    this.#above[this.#top(b)] = this.#top(a);
  }

  #top(at: number): number {
    let top = at;
    for (let above = this.#above[top] ?? top; above !== top; above = this.#above[top] ?? top) {
      // Path halving.
      this.#above[top] = this.#above[above] ?? above;
      top = above;
    }
    return top;
  }
}
