import { LRUCache } from "lru-cache";
import { Once } from "../../base/once";
import type { IndexDatabase } from "../../store/database/database";

/** The current sessions, by place. */
interface Known {
  readonly places: ReadonlyMap<number, number>;
  /** By place, the revision of its last change. */
  readonly revisions: Float64Array;
  /** The latest of all. */
  readonly revision: number;
}

interface Found {
  readonly revision: number;
  /** By place, 1 if the session's text holds the word. */
  readonly holds: Uint8Array;
}

/** Maximum cached words: one byte per session and word. */
const WORDS = 40;
/** Maximum changed sessions; above, all texts are searched. */
const MAX_CHANGED = 1000;

/** Occurrences of words in texts. Results are cached, and recomputed for changed texts. */
export class FoundWords {
  readonly #database: IndexDatabase;
  readonly #found = new LRUCache<string, Found>({ max: WORDS });
  readonly #finding = new Once<Uint8Array>();

  constructor(database: IndexDatabase) {
    this.#database = database;
  }

  /** By place, 1 if the text holds the word. */
  async of(word: string, known: Known): Promise<Uint8Array> {
    const before = this.#found.get(word);
    if (before !== undefined && before.revision >= known.revision) return before.holds;
    return this.#finding.do(`${known.revision} ${word}`, () => this.#find(word, known, before));
  }

  async #find(word: string, { places, revisions, revision }: Known, before: Found | undefined): Promise<Uint8Array> {
    const changed = before && changedSince(before, places, revisions);
    const isWhole = changed === undefined || changed.length > MAX_CHANGED;
    const holds = new Uint8Array(places.size);
    if (!isWhole) {
      holds.set(before?.holds ?? []);
      for (const number of changed) holds[places.get(number) ?? 0] = 0;
    }
    const found = isWhole
      ? await this.#database.found(word)
      : changed.length === 0
        ? []
        : await this.#database.found(word, changed);
    for (const number of found) {
      const place = places.get(number);
      if (place !== undefined) holds[place] = 1;
    }
    this.#found.set(word, { revision, holds });
    return holds;
  }
}

/** The numbers of changed sessions. */
function changedSince({ revision }: Found, places: ReadonlyMap<number, number>, revisions: Float64Array): number[] {
  const changed: number[] = [];
  for (const [number, place] of places) if ((revisions[place] ?? 0) > revision) changed.push(number);
  return changed;
}
