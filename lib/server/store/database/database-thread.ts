import { parentPort, workerData } from "node:worker_threads";
import { SqliteFile } from "./sqlite-file";
import { DamagedError, type Row, type Statement } from "./statement";

/** The thread that holds the index's file, bundled to `dist/database.mjs`: its statements never block the server's own thread. */

/** Statements to run as one transaction. */
export interface DatabaseTask {
  readonly number: number;
  /** The distinct SQL texts of the statements: hundreds of statements in a batch share one. */
  readonly texts: readonly string[];
  /** By statement, the index of its text. */
  readonly places: readonly number[];
  readonly parameters: readonly Statement["parameters"][];
}

export interface Answer {
  readonly number: number;
  readonly rows?: readonly Row[];
  readonly error?: { readonly message: string; readonly damaged: boolean };
}

/** Start parameters of the thread. */
export interface ThreadData {
  readonly path: string;
  readonly foreign: boolean;
  /** Its added niceness. */
  readonly nice?: number;
}

const { path, foreign, nice = 0 } = workerData as ThreadData; // As thread-executor.ts passes it.
if (nice > 0) void beNice(nice);
let opening: Promise<SqliteFile> | undefined;

parentPort?.on("message", async ({ number, texts, places, parameters }: DatabaseTask) => {
  const statements = places.map((place, at) => ({ sql: texts[place] ?? "", parameters: parameters[at] ?? [] }));
  parentPort?.postMessage(await answerOf(number, statements));
});

/** Yields to the program's other threads if the system allows that: on Linux niceness belongs to a thread. */
async function beNice(increment: number): Promise<void> {
  if (process.platform !== "linux") return;
  const found = await import("@napi-rs/nice").catch(() => undefined);
  found?.nice(increment);
}

async function answerOf(number: number, statements: readonly Statement[]): Promise<Answer> {
  try {
    opening ??= SqliteFile.open(path, foreign);
    const file = await opening;
    // An empty list closes the file.
    if (statements.length === 0) file.close();
    return { number, rows: statements.length === 0 ? [] : file.run(statements) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { number, error: { message, damaged: error instanceof DamagedError } };
  }
}
