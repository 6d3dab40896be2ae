import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Answer, DatabaseTask, ThreadData } from "./database-thread";
import { DamagedError, type Executor, type Row, type Statement } from "./statement";

interface Waiting {
  readonly resolve: (rows: readonly Row[]) => void;
  readonly reject: (error: Error) => void;
}

function taskOf(number: number, statements: readonly Statement[]): DatabaseTask {
  const texts = new Map<string, number>();
  const places = statements.map(({ sql }) => {
    const place = texts.get(sql) ?? texts.size;
    texts.set(sql, place);
    return place;
  });
  return { number, texts: [...texts.keys()], places, parameters: statements.map(({ parameters }) => parameters) };
}

/** Runs statements on a SQLite file in a separate thread, in their given order. */
export class ThreadExecutor implements Executor {
  readonly #thread: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #ended: Error | undefined;

  /** @param root folder of the program, which contains `dist/database.mjs` */
  constructor(root: string, data: ThreadData) {
    // With a literal `new Worker`, the bundler of the pages would look for the file among its own.
    this.#thread = Reflect.construct(Worker, [join(root, "dist", "database.mjs"), { workerData: data }]);
    // The thread does not keep the process alive.
    this.#thread.unref();
    this.#thread.on("message", (answer: Answer) => this.#answered(answer));
    this.#thread.on("error", (error) => this.#end(error));
    this.#thread.on("exit", () => this.#end(new Error("The index was closed.")));
  }

  run(statements: readonly Statement[]): Promise<readonly Row[]> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const number = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      // While a caller waits for an answer, the program stays alive.
      this.#thread.ref();
      this.#thread.postMessage(taskOf(number, statements));
    });
  }

  async close(): Promise<void> {
    // The end of the thread closes the rest.
    await this.run([]).catch(() => undefined);
    await this.#thread.terminate();
  }

  #answered({ number, rows = [], error }: Answer): void {
    const waiting = this.#waiting.get(number);
    this.#waiting.delete(number);
    if (this.#waiting.size === 0) this.#thread.unref();
    if (error === undefined) waiting?.resolve(rows);
    else waiting?.reject(error.damaged ? new DamagedError(error.message) : new Error(error.message));
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
