/** Does a piece of work once for all who ask for it while it is under way. After a failure, the next caller tries again. */
export class Once<T> {
  readonly #running = new Map<string, Promise<T>>();

  /** The work that is under way. */
  running(key: string): Promise<T> | undefined {
    return this.#running.get(key);
  }

  do(key: string, work: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const promise = work().finally(() => this.#running.delete(key));
    this.#running.set(key, promise);
    return promise;
  }
}

/** Keeps results that were computed once. */
export class Kept<T> {
  readonly #found: Map<string, T>;
  readonly #once = new Once<T>();

  /** @param known results that are known; those of another one are shared, but work that is under way there is not waited for */
  constructor(known: Kept<T> | Readonly<Record<string, T>> = {}) {
    this.#found = known instanceof Kept ? known.#found : new Map(Object.entries(known));
  }

  get size(): number {
    return this.#found.size;
  }

  /** Whether a result was found, or is being worked on. */
  has(key: string): boolean {
    return this.#found.has(key) || this.#once.running(key) !== undefined;
  }

  async get(key: string, work: () => Promise<T>): Promise<T> {
    const found = this.#found.get(key);
    if (found !== undefined || this.#found.has(key)) return found as T; // found under this key, even if its value is undefined
    return this.#once.do(key, async () => {
      const value = await work();
      this.#found.set(key, value);
      return value;
    });
  }
}
