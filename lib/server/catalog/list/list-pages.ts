import { LRUCache } from "lru-cache";
import { Once } from "../../once";

/** The most memory for answers. */
const ANSWERS_BYTES = 4 << 20;
/** While the list changes, an answer is given again for this many times as long as it took to make, */
const REST = 10;
/** but no longer than this. */
const MOST_REST_MS = 2000;

interface Answer {
  readonly json: Uint8Array<ArrayBuffer>;
  readonly state: string;
  /** Until when it is given although the list has changed. */
  readonly until: number;
}

/**
 * Answers about the list as JSON in UTF-8. Each is made once while the list stays as it is, however many ask for it. While files are being read the
 * list changes many times a second: then an answer may be a little old, so that making answers takes no more than a tenth of the time.
 */
export class ListPages {
  readonly #answers = new LRUCache<string, Answer>({
    maxSize: ANSWERS_BYTES,
    sizeCalculation: ({ json }) => json.length,
  });
  readonly #making = new Once<Uint8Array<ArrayBuffer>>();
  readonly #now: () => number;
  /** How often all answers were forgotten. */
  #cleared = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * @param state identifies what the list is made of: a new state means a new list
   * @param isChanging whether files are being read: once all are, nobody would ask again for what an older answer lacks
   */
  get(state: string, query: object, make: () => Promise<string>, isChanging = true): Promise<Uint8Array<ArrayBuffer>> {
    const key = JSON.stringify(query);
    const known = this.#answers.get(key);
    if (known !== undefined && (known.state === state || (isChanging && this.#now() < known.until)))
      return Promise.resolve(known.json);
    const asked = this.#cleared;
    return this.#making.do(`${state} ${key}`, async () => {
      const began = this.#now();
      const json = new TextEncoder().encode(await make());
      const ended = this.#now();
      // Somebody who has changed the list meanwhile expects to see it.
      if (asked === this.#cleared)
        this.#answers.set(key, { json, state, until: ended + Math.min((ended - began) * REST, MOST_REST_MS) });
      return json;
    });
  }

  /** Forgets all answers: somebody has changed the list and expects to see it. */
  clear(): void {
    this.#cleared += 1;
    this.#answers.clear();
  }
}
