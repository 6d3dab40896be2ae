/** Shares one run of a piece of work among concurrent callers. After a failure, the next caller tries again. */
export class Once<T> {
  readonly #running = new Map<string, Promise<T>>();

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

/** Caches computed results. */
export class ResultCache<T> {
  readonly #found: Map<string, T>;
  readonly #once = new Once<T>();

  /** @param known existing results, which are shared; their running work is not awaited */
  constructor(known: ResultCache<T> | Readonly<Record<string, T>> = {}) {
    this.#found = known instanceof ResultCache ? known.#found : new Map(Object.entries(known));
  }

  get size(): number {
    return this.#found.size;
  }

  /** True for a known result, or one in progress. */
  has(key: string): boolean {
    return this.#found.has(key) || this.#once.running(key) !== undefined;
  }

  async get(key: string, work: () => Promise<T>): Promise<T> {
    const found = this.#found.get(key);
    if (found !== undefined || this.#found.has(key)) return found as T; // The key exists, even if its value is undefined.
    return this.#once.do(key, async () => {
      const value = await work();
      this.#found.set(key, value);
      return value;
    });
  }
}
