import { LRUCache } from "lru-cache";
import { Once } from "../once";

/** The most memory for answers. */
const ANSWERS_BYTES = 16 << 20;

/** Answers about the list as JSON in UTF-8. Each is made once while the list stays as it is, however many ask for it. */
export class ListPages {
  readonly #answers = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: ANSWERS_BYTES,
    sizeCalculation: (answer) => answer.length,
  });
  readonly #making = new Once<Uint8Array<ArrayBuffer>>();
  #state = "";

  /** @param state identifies what the list is made of: a new state means a new list */
  get(state: string, query: object, make: () => Promise<string>): Promise<Uint8Array<ArrayBuffer>> {
    if (state !== this.#state) this.#answers.clear();
    this.#state = state;
    const key = JSON.stringify(query);
    const known = this.#answers.get(key);
    if (known !== undefined) return Promise.resolve(known);
    return this.#making.do(`${state} ${key}`, async () => {
      const json = new TextEncoder().encode(await make());
      if (state === this.#state) this.#answers.set(key, json);
      return json;
    });
  }
}
