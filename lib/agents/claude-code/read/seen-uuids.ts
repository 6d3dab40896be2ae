import { Integers } from "@/lib/core/base/growing";

const EMPTY = 1;
const FILLED = 2;

/** The uuids of a file's records, by their numbers, and whether each record had content. */
export class SeenUuids {
  readonly #state = new Integers();
  /** The node of the last record with each uuid. */
  readonly #node = new Integers();

  has(id: number): boolean {
    return id >= 0 && this.#state.at(id) > 0;
  }

  /** Whether there is a record with an id, and it had content. */
  hasContent(id: number): boolean {
    return this.has(id) && this.#state.at(id) === FILLED;
  }

  /** The node of a record that was seen. */
  node(id: number): number {
    return this.#node.at(id);
  }

  see(id: number, filled: boolean, node: number): void {
    while (this.#state.length <= id) {
      this.#state.push(0);
      this.#node.push(0);
    }
    this.#state.set(id, filled ? FILLED : EMPTY);
    this.#node.set(id, node);
  }
}
