import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { Milliseconds } from "@/lib/core/base/units";
import { digest } from "../base/digest";
import type { MeasuresByPolicy } from "../read/numbers/measures";
import type { FileVersion } from "../read/source-file";
import type { DiskCache } from "../store/disk-cache";
import type {
  Answer,
  CountTask,
  IngestAnswer,
  IngestTask,
  Input,
  MeasureTask,
  SomeWork,
  TaskName,
  TaskRunner,
} from "./tasks";

/**
 * A file that was changed more recently than this is not cached: it may change again within the same tick of its time stamp's clock. And while an
 * agent writes to it, no version of it is requested twice.
 */
const SETTLED_MS: Milliseconds = 2000;

/** Identity and state of a file in the system. */
interface FileState {
  readonly bytes: number;
  readonly mtimeMs: Milliseconds;
  readonly inode: string;
}

/**
 * A runner that stores the transcript, counts and measures of a file on disk. So a session that was opened once is not read or counted again, even
 * after a restart. An entry is valid only for the same state of the same file and the same code.
 */
export class CachedRunner implements TaskRunner {
  readonly #runner: TaskRunner;
  readonly #cache: DiskCache;
  readonly #madeBy: () => string;
  #maker: string | undefined;
  /** States of files that are checked once; absent if they are checked on every use. */
  readonly #seen: Map<string, Promise<FileState | undefined>> | undefined;

  /**
   * @param madeBy returns the id of the code that reads recordings; called once, when a session is first opened
   * @param looksOnce true to check a file's state only once: for a runner that serves a single query
   */
  constructor(runner: TaskRunner, cache: DiskCache, madeBy: () => string, { looksOnce = false } = {}) {
    this.#runner = runner;
    this.#cache = cache;
    this.#madeBy = madeBy;
    this.#seen = looksOnce ? new Map() : undefined;
  }

  async run<Name extends TaskName>(name: Name, input: Input<Name>, signal?: AbortSignal): Promise<Answer<Name>> {
    return (this as SomeWork)[name]?.(input) ?? this.#runner.run(name, input, signal);
  }

  /** Reads a file, or returns its cached result. Results for lists and for checks of policies and estimators are not cached here. */
  async ingest(task: IngestTask): Promise<IngestAnswer> {
    if (task.summaryOnly || task.fidelity !== undefined || task.accuracy !== undefined)
      return this.#runner.run("ingest", task);
    const { path, name = basename(path), format, session, indexed, counted = false } = task;
    const what = ["session", name, format ?? "", session ?? "", indexed ?? "", counted];
    const state = await this.#stateOf(path);
    return this.#kept(
      path,
      state,
      what,
      () => this.#runner.run("ingest", task),
      ({ version }) => isOf(version, state),
    );
  }

  async count(task: CountTask): Promise<Int32Array> {
    const { path, version, estimator } = task;
    return this.#keptOf(path, version, ["tokens", estimator], () => this.#runner.run("count", task));
  }

  /** The uncached policies are measured in one pass. */
  async measure({ path, version, policies }: MeasureTask): Promise<MeasuresByPolicy> {
    const places = await Promise.all(
      policies.map(async (policy) => {
        const place = await this.#placeOf<Record<string, Int32Array>>(path, version, ["measures", policy]);
        return { policy, place };
      }),
    );
    const open = places.flatMap(({ policy, place }) => (place.found === undefined ? [policy] : []));
    const made = open.length === 0 ? {} : await this.#runner.run("measure", { path, version, policies: open });
    for (const { policy, place } of places) {
      const measures = made[policy];
      if (measures !== undefined) place.keep(measures);
    }
    return Object.fromEntries(places.map(({ policy, place }) => [policy, place.found ?? made[policy] ?? {}]));
  }

  runsApart(policies: readonly string[]): boolean {
    return this.#runner.runsApart?.(policies) ?? false;
  }

  /** Resolves when all answers are on disk. */
  settled(): Promise<void> {
    return this.#cache.settled();
  }

  /** Ends the runner after all its answers are stored. */
  async close(): Promise<void> {
    await this.settled();
    await this.#runner.close();
  }

  /** Removes all cached results of a file. */
  forget(path: string): Promise<void> {
    return this.#cache.drop(digest(path));
  }

  /** Other results from the current file, under names of the result and its other inputs. */
  async keep<T>(path: string, what: readonly string[], make: () => Promise<T>): Promise<T> {
    return this.#kept(path, await this.#stateOf(path), what, make);
  }

  #stateOf(path: string): Promise<FileState | undefined> {
    const state = this.#seen?.get(path) ?? stateOf(path);
    this.#seen?.set(path, state);
    return state;
  }

  /** The cached or computed result of a version. */
  async #keptOf<T>(path: string, version: FileVersion, what: readonly string[], make: () => Promise<T>): Promise<T> {
    return keptAt(await this.#placeOf<T>(path, version, what), make);
  }

  /** The place of a version's result in the cache; none for an outdated version. */
  async #placeOf<T>(path: string, version: FileVersion, what: readonly string[]): Promise<Place<T>> {
    const state = await this.#stateOf(path);
    const { format = "", session = "" } = version;
    return isOf(version, state) ? this.#placeAt(path, state, [...what, format, session]) : NOWHERE;
  }

  async #kept<T>(
    path: string,
    state: FileState | undefined,
    what: readonly (string | boolean)[],
    make: () => Promise<T>,
    isOfState: (made: T) => boolean = () => true,
  ): Promise<T> {
    return keptAt(await this.#placeAt<T>(path, state, what), make, isOfState);
  }

  async #placeAt<T>(
    path: string,
    state: FileState | undefined,
    what: readonly (string | boolean)[],
  ): Promise<Place<T>> {
    if (state === undefined || Date.now() - state.mtimeMs < SETTLED_MS) return NOWHERE;
    const { bytes, mtimeMs, inode } = state;
    this.#maker ??= this.#madeBy();
    const key = JSON.stringify([this.#maker, path, bytes, mtimeMs, inode, ...what]);
    const found = await this.#cache.get(digest(path), key);
    return {
      // The key names the code that wrote it, so it has this type.
      found: found === undefined ? undefined : (deserialize(found) as T),
      keep: (made) => this.#cache.put(digest(path), key, serialize(made)),
    };
  }
}

/** Place of a result in the cache, and its content. */
interface Place<T> {
  readonly found: T | undefined;
  readonly keep: (made: T) => void;
}

/** For uncached results. */
const NOWHERE = { found: undefined, keep: () => {} };

async function keptAt<T>(
  { found, keep }: Place<T>,
  make: () => Promise<T>,
  isOfState: (made: T) => boolean = () => true,
): Promise<T> {
  if (found !== undefined) return found;
  const made = await make();
  if (isOfState(made)) keep(made);
  return made;
}

/** The current file; `undefined` if it cannot be read. */
async function stateOf(path: string): Promise<FileState | undefined> {
  const info = await stat(path).catch(() => undefined); // The reader reports the reason.
  return info && { bytes: info.size, mtimeMs: info.mtimeMs, inode: `${info.dev}:${info.ino}` };
}

function isOf(version: FileVersion, state: FileState | undefined): state is FileState {
  return version.bytes === state?.bytes && version.mtimeMs === state.mtimeMs;
}
