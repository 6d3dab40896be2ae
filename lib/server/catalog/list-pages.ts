import { LRUCache } from "lru-cache";
import type { SessionPage } from "@/lib/api/contract";
import type { ListQuery } from "./session-list";

/** The most memory for pages. */
const PAGES_BYTES = 16 << 20;

/** A page, and whether it shows all that is known: if not, it is made anew when it is asked for again. */
interface MadePage {
  readonly page: SessionPage;
  readonly isFinal: boolean;
}

/** Pages of the session list as JSON in UTF-8. Each is made once while the list stays as it is, however many ask for it. */
export class ListPages {
  readonly #pages = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: PAGES_BYTES,
    sizeCalculation: (page) => page.length,
  });
  #state = "";

  /** @param state identifies what the list is made of: a new state means a new list */
  get(state: string, query: ListQuery, make: () => MadePage): Uint8Array<ArrayBuffer> {
    if (state !== this.#state) this.#pages.clear();
    this.#state = state;
    const key = JSON.stringify(query);
    const known = this.#pages.get(key);
    if (known !== undefined) return known;
    const { page, isFinal } = make();
    const json = new TextEncoder().encode(JSON.stringify(page));
    if (isFinal) this.#pages.set(key, json);
    return json;
  }
}
